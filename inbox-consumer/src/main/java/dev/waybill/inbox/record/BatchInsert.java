package dev.waybill.inbox.record;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.inbox.lock.SessionLock;
import dev.waybill.schema.SchemaName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records a whole batch of one session in one round trip; otherwise like {@link RecordStatements}. Thread-safe. */
public final class BatchInsert {
    private static final String RECORD = """
            insert into %1$s (key, consumer, message_id, content)
            select k, ?, m, c from unnest(?::uuid[], ?::text[], ?::integer[]) batch (k, m, c)
            on conflict do nothing returning key""";

    private static final String TROUBLE = """
            exists (select from %1$s where consumer = ? and key = any (?))
                    or exists (select from %2$s where key = any (?))""";

    private final Database database;
    private final String consumer;
    private final SessionLock lock;
    private final InboxInsert insert;
    private final OptionalTable deferrals;
    private final Asked withDeferrals;
    private final Asked withoutDeferrals;
    private final String takingBack;

    public BatchInsert(Database database, SchemaName schema, String consumer, SessionLock lock, InboxInsert insert) {
        this.database = database;
        this.consumer = consumer;
        this.lock = lock;
        this.insert = insert;
        deferrals = new OptionalTable(schema, "inbox_deferral");
        withDeferrals = asked(schema, schema.table("inbox_deferral"));
        withoutDeferrals = asked(schema, DeferralTable.NONE);
        takingBack = "delete from " + schema.table("inbox_message") + " where key = ?";
    }

    private Asked asked(SchemaName schema, String deferred) {
        var preconditions = new PreconditionQuery(
                schema, consumer, TROUBLE.formatted(schema.table("inbox_hold"), deferred), 1, deferred);
        String record = lock.sql() + ";\n" + RECORD.formatted(schema.table("inbox_message")) + ";\n";
        return new Asked(preconditions, record + preconditions.sql(false), record + preconditions.sql(true));
    }

    private record Asked(PreconditionQuery preconditions, String looking, String recording) {}

    /** Deletes the ids of messages that a batch recorded and that had no handler when a handler committed the batch. */
    public void takeBack(List<InboundMessage> recorded) throws SQLException {
        for (InboundMessage message : recorded) {
            database.update(takingBack, InboxKey.of(consumer, message.id()));
        }
    }

    /** Empty if a message is held or deferred, or its session is held: each message must then be recorded alone. */
    public Optional<List<InboxRecord>> record(Connection connection, List<InboundMessage> batch, @Nullable Fence fence)
            throws SQLException {
        List<UUID> keys = batch.stream()
                .map(message -> InboxKey.of(consumer, message.id()))
                .toList();
        Asked asked = deferrals.isInstalled(connection) ? withDeferrals : withoutDeferrals;
        try (PreparedStatement statement =
                connection.prepareStatement(PreconditionQuery.records(fence) ? asked.recording : asked.looking)) {
            bind(connection, statement, asked.preconditions, batch, keys, fence);
            statement.execute();
            statement.getMoreResults();
            Set<UUID> recorded = recorded(statement);
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                PreconditionQuery.Answers answers = asked.preconditions.read(row, fence);
                return row.getBoolean(1)
                        ? Optional.empty()
                        : Optional.of(records(connection, batch, recorded, answers));
            }
        }
    }

    private void bind(
            Connection connection,
            PreparedStatement statement,
            PreconditionQuery preconditions,
            List<InboundMessage> batch,
            List<UUID> keys,
            @Nullable Fence fence)
            throws SQLException {
        @Nullable String session = batch.get(0).session().orElse(null);
        Array keyArray = connection.createArrayOf("uuid", keys.toArray());
        lock.bind(statement, 1, session);
        statement.setString(2, consumer);
        statement.setArray(3, keyArray);
        statement.setArray(
                4,
                connection.createArrayOf(
                        "text", batch.stream().map(InboundMessage::id).toArray()));
        statement.setArray(
                5,
                connection.createArrayOf(
                        "integer", batch.stream().map(insert::checksum).toArray()));
        int own = preconditions.bindBefore(statement, 6, fence);
        statement.setString(own, consumer);
        statement.setArray(
                own + 1, connection.createArrayOf("text", holds(batch).toArray()));
        statement.setArray(own + 2, keyArray);
        preconditions.bindBehind(statement, own + 3, session, null, fence);
    }

    private Set<String> holds(List<InboundMessage> batch) {
        var holds = new HashSet<String>();
        for (InboundMessage message : batch) {
            String session = message.session().orElse(null);
            holds.add(HoldKey.message(HoldSide.INBOX, consumer, session, message.id())
                    .text());
            if (session != null) {
                holds.add(HoldKey.session(HoldSide.INBOX, consumer, session).text());
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

    // Of two copies in one batch, the first has recorded the id.
    private List<InboxRecord> records(
            Connection connection, List<InboundMessage> batch, Set<UUID> recorded, PreconditionQuery.Answers answers)
            throws SQLException {
        var records = new ArrayList<InboxRecord>();
        for (InboundMessage message : batch) {
            boolean first = recorded.remove(InboxKey.of(consumer, message.id()));
            InboxRecord.Id id = InboxRecord.Id.of(first, !first && insert.isOther(connection, consumer, message));
            records.add(new InboxRecord(id, null, false, answers.wanted(), answers.backend(), null));
        }
        return records;
    }
}
