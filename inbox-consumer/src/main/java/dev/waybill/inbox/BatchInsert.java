package dev.waybill.inbox;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.Side;
import dev.waybill.migrations.SchemaName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Records the ids of a whole batch in one round trip; otherwise as {@link InboxInsert}. */
final class BatchInsert {
    private static final String SQL = """
            insert into %1$s (key, consumer, message_id)
            select k, ?, m
            from unnest(?::uuid[], ?::text[]) batch (k, m), (select set_config('lock_timeout', '%2$dms', true)) bounded
            on conflict do nothing returning key;
            select
                exists (select from %3$s where side = 'inbox' and scope = ? and key = any (?))
                    or exists (select from %4$s where key = any (?)),
                pg_backend_pid(), now()""";

    private final String sql;
    private final String consumer;

    BatchInsert(SchemaName schema, Duration lockTimeout, String consumer) {
        sql = SQL.formatted(
                schema.table("inbox_message"),
                lockTimeout.toMillis(),
                schema.table("hold"),
                schema.table("inbox_deferral"));
        this.consumer = consumer;
    }

    /** Empty if any of the messages is, or was, in trouble: then each must be admitted for itself. */
    Optional<List<Admission>> admit(Connection connection, List<InboundMessage> batch) throws SQLException {
        List<UUID> keys = batch.stream()
                .map(message -> InboxKey.of(consumer, message.id()))
                .toList();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, batch, keys);
            statement.execute();
            Set<UUID> recorded = recorded(statement);
            statement.getMoreResults();
            try (ResultSet trouble = statement.getResultSet()) {
                trouble.next();
                var backend = new Backend(trouble.getInt(2), trouble.getString(3));
                return trouble.getBoolean(1) ? Optional.empty() : Optional.of(admissions(keys, recorded, backend));
            }
        }
    }

    private void bind(Connection connection, PreparedStatement statement, List<InboundMessage> batch, List<UUID> keys)
            throws SQLException {
        Array keyArray = connection.createArrayOf("uuid", keys.toArray());
        statement.setString(1, consumer);
        statement.setArray(2, keyArray);
        statement.setArray(
                3,
                connection.createArrayOf(
                        "text", batch.stream().map(InboundMessage::id).toArray()));
        statement.setString(4, consumer);
        statement.setArray(5, connection.createArrayOf("text", holds(batch).toArray()));
        statement.setArray(6, keyArray);
    }

    private Set<String> holds(List<InboundMessage> batch) {
        var holds = new HashSet<String>();
        for (InboundMessage message : batch) {
            String session = message.session().orElse(null);
            holds.add(
                    HoldKey.message(Side.INBOX, consumer, session, message.id()).text());
            if (session != null) {
                holds.add(HoldKey.session(Side.INBOX, consumer, session).text());
            }
        }
        return holds;
    }

    private static Set<UUID> recorded(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.getResultSet()) {
            var keys = new HashSet<UUID>();
            while (rows.next()) {
                keys.add(rows.getObject(1, UUID.class));
            }
            return keys;
        }
    }

    // Of two copies in one batch the first has recorded the id.
    private static List<Admission> admissions(List<UUID> keys, Set<UUID> recorded, Backend backend) {
        var admissions = new ArrayList<Admission>();
        for (UUID key : keys) {
            admissions.add(new Admission(recorded.remove(key), null, false, backend));
        }
        return admissions;
    }
}
