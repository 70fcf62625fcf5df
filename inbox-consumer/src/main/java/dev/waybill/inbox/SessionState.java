package dev.waybill.inbox;

import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.SchemaName;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * State of each session in the database, changed in the transaction of a message and so exactly as often as its
 * effects; unlike the state that the broker keeps of a session. Immutable and thread-safe.
 */
public final class SessionState {
    private final String load;
    private final String insert;
    private final String update;
    private final String clear;

    private SessionState(SchemaName schema) {
        String table = schema.table("inbox_state");
        load = "select version, state from " + table + " where consumer = ? and session_id = ?";
        insert = "insert into " + table + " (version, state, consumer, session_id) values (1, ?, ?, ?)"
                + " on conflict do nothing";
        update = "update " + table + " set version = version + 1, state = ?, changed_at = clock_timestamp()"
                + " where consumer = ? and session_id = ? and version = ?";
        clear = "delete from " + table + " where consumer = ? and session_id = ? and version = ?";
    }

    /** The states in a schema of Waybill's tables. */
    public static SessionState in(SchemaName schema) {
        return new SessionState(schema);
    }

    /** The state of a session; empty if none was stored. */
    public Optional<Versioned> load(DSLContext tx, String consumer, String session) {
        return tx.connectionResult(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(load)) {
                statement.setString(1, consumer);
                statement.setString(2, session);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next()
                            ? Optional.of(new Versioned(rows.getLong(1), rows.getBytes(2)))
                            : Optional.empty();
                }
            }
        });
    }

    /**
     * Stores a state in place of the one that was loaded.
     *
     * @param version that of the loaded state; 0 if there was none
     * @throws StaleStateException if somebody else has stored one meanwhile; trying the message again is the cure
     */
    public void store(DSLContext tx, String consumer, String session, long version, byte[] state) {
        require(session, tx.connectionResult(connection -> {
            BinaryParameters.require(connection);
            return version == 0
                    ? execute(connection, insert, state, consumer, session)
                    : execute(connection, update, state, consumer, session, version);
        }));
    }

    /** Forgets the state that was loaded; as {@link #store}. */
    public void clear(DSLContext tx, String consumer, String session, long version) {
        require(session, tx.connectionResult(connection -> execute(connection, clear, consumer, session, version)));
    }

    private static void require(String session, int rows) {
        if (rows != 1) {
            throw new StaleStateException(session);
        }
    }

    private static int execute(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    /**
     * A state as it was loaded.
     *
     * @param version to be named when it is replaced
     * @param bytes not copied
     */
    // Handed over and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    public record Versioned(long version, byte[] bytes) {
        /** The bytes as UTF-8 text. */
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
