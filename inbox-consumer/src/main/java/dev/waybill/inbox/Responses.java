package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The answers beside the ids. */
final class Responses {
    private final String insert;
    private final String select;

    Responses(SchemaName schema) {
        String table = schema.table("inbox_response");
        insert = "insert into " + table + " (key, status, content_type, body) values (?, ?, ?, ?)";
        select = "select status, content_type, body from " + table + " where key = ?";
    }

    void store(Connection connection, String consumer, String id, Response response) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setObject(1, InboxKey.of(consumer, id));
            statement.setInt(2, response.status());
            statement.setString(3, response.contentType());
            statement.setBytes(4, response.body());
            statement.executeUpdate();
        }
    }

    Optional<Response> find(Connection connection, String consumer, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setObject(1, InboxKey.of(consumer, id));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? Optional.of(new Response(rows.getInt(1), rows.getString(2), rows.getBytes(3)))
                        : Optional.empty();
            }
        }
    }
}
