package dev.waybill.spring.tenants;

import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** Asks a database in one query whether a relay has work there. Immutable and thread-safe. */
final class Look {
    private static final int ANSWER_SECONDS = 5;

    private final String sql;
    private final String[] destinations;

    Look(SchemaName schema, Collection<String> destinations) {
        sql = new SqlFiles(Look.class, schema).get("look");
        this.destinations = destinations.toArray(String[]::new);
    }

    /** Milliseconds until a message is due, 0 for now; empty if none waits. */
    OptionalLong millisUntilDue(DataSource dataSource) throws SQLException {
        var connections = new AutoCommitConnections(dataSource);
        Connection connection = connections.acquire();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout(ANSWER_SECONDS);
            statement.setArray(1, connection.createArrayOf("text", destinations));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long millis = row.getLong(1);
                return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(Math.max(0, millis));
            }
        } finally {
            connections.release(connection);
        }
    }
}
