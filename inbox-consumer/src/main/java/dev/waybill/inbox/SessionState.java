package dev.waybill.inbox;

import dev.waybill.message.BodyText;
import dev.waybill.message.BrokerNames;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * State of each session in the database. The message's transaction changes it, so it changes exactly as often as the message's effects;
 * the broker's session state does not. Immutable and thread-safe.
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

    public static SessionState in(SchemaName schema) {
        return new SessionState(schema);
    }

    /** The state of a session; empty if there is none. */
    public Optional<Versioned> load(DSLContext tx, String consumer, String session) {
        return tx.connectionResult(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(load)) {
                statement.setString(1, consumer);
                statement.setString(2, BrokerNames.key(session));
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next()
                            ? Optional.of(new Versioned(rows.getLong(1), rows.getBytes(2)))
                            : Optional.empty();
                }
            }
        });
    }

    /**
     * Replaces the loaded state.
     *
     * @param version that of the loaded state; 0 if there was none
     * @throws StaleStateException if another transaction changed the state meanwhile; a retry of the message helps
     */
    public void store(DSLContext tx, String consumer, String session, long version, byte[] state) {
        require(session, tx.connectionResult(connection -> {
            BinaryParameters.require(connection);
            String key = BrokerNames.key(session);
            return version == 0
                    ? execute(connection, insert, state, consumer, key)
                    : execute(connection, update, state, consumer, key, version);
        }));
    }

    /** Deletes the loaded state. Throws as {@link #store}. */
    public void clear(DSLContext tx, String consumer, String session, long version) {
        String key = BrokerNames.key(session);
        require(session, tx.connectionResult(connection -> execute(connection, clear, consumer, key, version)));
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

    /** A loaded state. Pass its version to {@link #store} or {@link #clear}. The bytes are not copied. */
    // No code compares states.
    @SuppressWarnings("ArrayRecordComponent")
    public record Versioned(long version, byte[] bytes) {
        /** The bytes as UTF-8 text; an {@link dev.waybill.message.UnreadableBodyException} if they are none. */
        public String text() {
            return BodyText.of(bytes, "text/plain; charset=utf-8");
        }
    }
}
