package dev.waybill.inbox.record;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Commit;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.inbox.lock.SessionLock;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records a message before it is handled, in one round trip. The first statement locks the session and records the id. The second asks
 * for obstacles to handling, with a snapshot younger than the first one's waits; this needs READ COMMITTED. Plain JDBC, because every
 * message pays for it. Thread-safe.
 */
public final class RecordStatements {
    // The longer key is that of the message alone.
    private static final String TROUBLE = """
            (select key from %s where consumer = ? and key in (?, ?) order by length(key) desc limit 1),
                exists (select from %s where key = ?)""";

    private static final String SAVEPOINT = "savepoint waybill_message;\n";
    private static final String NEXT_SAVEPOINT = "release savepoint waybill_message;\n" + SAVEPOINT;

    public static final String ROLL_BACK = "rollback to savepoint waybill_message";

    private final String consumer;
    private final SessionLock lock;
    private final InboxInsert insert;
    private final OptionalTable deferrals;
    private final Asked withDeferrals;
    private final Asked withoutDeferrals;

    public RecordStatements(SchemaName schema, String consumer, SessionLock lock, InboxInsert insert) {
        this.consumer = consumer;
        this.lock = lock;
        this.insert = insert;
        deferrals = new OptionalTable(schema, "inbox_deferral");
        withDeferrals = asked(schema, insert, schema.table("inbox_deferral"));
        withoutDeferrals = asked(schema, insert, DeferralTable.NONE);
    }

    private Asked asked(SchemaName schema, InboxInsert insert, String deferred) {
        var preconditions = new PreconditionQuery(
                schema, consumer, TROUBLE.formatted(schema.table("inbox_hold"), deferred), 2, deferred);
        return new Asked(
                preconditions,
                Sql.of(lock, insert, preconditions.sql(false)),
                Sql.of(lock, insert, preconditions.sql(true)));
    }

    private Asked asked(Connection connection) throws SQLException {
        return deferrals.isInstalled(connection) ? withDeferrals : withoutDeferrals;
    }

    /** Fails with 55P03 if another worker is at work in the session. */
    public InboxRecord record(Connection connection, InboundMessage message, @Nullable Fence fence)
            throws SQLException {
        Asked asked = asked(connection);
        return record(connection, message, fence, asked.preconditions, asked.sql(fence).alone);
    }

    /** Commits, begins a new transaction and records there, in one round trip. After a failure the outcome of the commit is unknown. */
    InboxRecord commitAndRecord(Connection connection, InboundMessage message, @Nullable Fence fence)
            throws SQLException {
        Asked asked = asked(connection);
        Sql sql = asked.sql(fence);
        Statements statements = Commit.isKnown(connection) ? sql.behindKnownCommit : sql.behindCommit;
        return record(connection, message, fence, asked.preconditions, statements);
    }

    /** Records behind a savepoint, in the same round trip, and releases the previous savepoint. The lock lasts for the batch. */
    public InboxRecord recordBehindSavepoint(
            Connection connection, InboundMessage message, @Nullable Fence fence, boolean first) throws SQLException {
        Asked asked = asked(connection);
        Sql sql = asked.sql(fence);
        Statements statements = first ? sql.behindFirstSavepoint : sql.behindNextSavepoint;
        return record(connection, message, fence, asked.preconditions, statements);
    }

    private InboxRecord record(
            Connection connection,
            InboundMessage message,
            @Nullable Fence fence,
            PreconditionQuery preconditions,
            Statements statements)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.sql)) {
            bind(statement, message, fence, preconditions);
            statement.execute();
            for (int i = 0; i < statements.resultsBefore; i++) {
                statement.getMoreResults();
            }
            boolean first = isInserted(statement);
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                PreconditionQuery.Answers known = preconditions.read(row, fence);
                return new InboxRecord(
                        InboxRecord.Id.of(first, !first && insert.isOther(connection, consumer, message)),
                        row.getString(1),
                        row.getBoolean(2),
                        known.wanted(),
                        known.backend(),
                        known.snapshot());
            }
        }
    }

    // With prepareThreshold=-1 the driver returns -1, because it takes each result for rows. Read as "not inserted",
    // every message would be a duplicate.
    private static boolean isInserted(PreparedStatement statement) throws SQLException {
        int rows = statement.getUpdateCount();
        if (rows < 0) {
            throw new SQLException(
                    "The driver does not report whether a message is new; do not use prepareThreshold=-1");
        }
        return rows == 1;
    }

    private void bind(
            PreparedStatement statement, InboundMessage message, @Nullable Fence fence, PreconditionQuery preconditions)
            throws SQLException {
        @Nullable String session = message.session().orElse(null);
        UUID key = InboxKey.of(consumer, message.id());
        String alone =
                HoldKey.message(HoldSide.INBOX, consumer, session, message.id()).text();
        String whole = session == null
                ? alone
                : HoldKey.session(HoldSide.INBOX, consumer, session).text();
        lock.bind(statement, 1, session);
        insert.bind(statement, 2, key, consumer, message);
        int own = preconditions.bindBefore(statement, 6, fence);
        statement.setString(own, consumer);
        statement.setString(own + 1, whole);
        statement.setString(own + 2, alone);
        statement.setObject(own + 3, key);
        preconditions.bindBehind(statement, own + 4, session, key, fence);
    }

    private record Asked(PreconditionQuery preconditions, Sql looking, Sql recording) {
        Sql sql(@Nullable Fence fence) {
            return PreconditionQuery.records(fence) ? recording : looking;
        }
    }

    private record Sql(
            Statements alone,
            Statements behindKnownCommit,
            Statements behindCommit,
            Statements behindFirstSavepoint,
            Statements behindNextSavepoint) {
        static Sql of(SessionLock lock, InboxInsert insert, String preconditions) {
            String all = insert.sqlBehind(lock) + ";\n" + preconditions;
            // The lock precedes the savepoints, because a rollback to a savepoint releases later locks.
            String rest = insert.sql() + ";\n" + preconditions;
            return new Sql(
                    new Statements(all, 0),
                    new Statements(Commit.KNOWN + ";\nbegin;\n" + all, 2),
                    new Statements(Commit.MARKED + ";\nbegin;\n" + all, 3),
                    new Statements(lock.sql() + ";\n" + SAVEPOINT + rest, 2),
                    new Statements(lock.sql() + ";\n" + NEXT_SAVEPOINT + rest, 3));
        }
    }

    /** @param resultsBefore number of results before that of the record */
    private record Statements(String sql, int resultsBefore) {}
}
