package dev.waybill.relay;

import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Appends to sessions of its own, and ends its transactions in each way that PostgreSQL has. Its ids grow with their order. */
final class RandomWriter {
    private final OutboxFixture outbox;
    private final int number;
    private final Random random;
    private final AtomicInteger ids;
    private final List<String> pending = new ArrayList<>();
    private @Nullable Connection open;
    private @Nullable String prepared;
    private int transactions;

    RandomWriter(OutboxFixture outbox, int number, Random random, AtomicInteger ids) {
        this.outbox = outbox;
        this.number = number;
        this.random = random;
        this.ids = ids;
    }

    /** Appends some messages, a part of them below a savepoint that may be undone. */
    void append() throws SQLException {
        if (prepared != null) {
            return;
        }
        Connection tx = opened();
        @Nullable Savepoint savepoint = random.nextInt(3) == 0 ? tx.setSavepoint() : null;
        var appended = new ArrayList<String>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            append(tx, appended);
        }
        if (savepoint != null && random.nextBoolean()) {
            tx.rollback(savepoint);
        } else {
            pending.addAll(appended);
        }
    }

    private void append(Connection tx, Collection<String> appended) {
        boolean other = random.nextInt(5) == 0;
        String session = "w" + number + "s" + random.nextInt(4);
        String id = "%s-%06d".formatted(session, ids.incrementAndGet());
        outbox.outbox.append(
                tx,
                OutboxMessage.to(other ? "other" : OutboxFixture.DESTINATION)
                        .session(session)
                        .id(id)
                        .text(id)
                        .build());
        if (!other) {
            appended.add(id);
        }
    }

    private Connection opened() throws SQLException {
        if (open == null) {
            open = outbox.open();
            if (random.nextBoolean()) {
                execute(open, "select pg_current_xact_id()");
            }
        }
        return open;
    }

    /** The first half of a two-phase commit. */
    void prepare() throws SQLException {
        if (open != null) {
            prepared = "%s_%d_%d".formatted(outbox.schema, number, transactions++);
            execute(open, "prepare transaction '" + prepared + "'");
            close();
        }
    }

    /** @param committed gets the ids of what is committed */
    void end(boolean commit, Collection<String> committed) throws SQLException {
        if (prepared != null) {
            outbox.execute((commit ? "commit" : "rollback") + " prepared '" + prepared + "'");
            prepared = null;
        } else if (open != null) {
            if (commit) {
                open.commit();
            }
            close();
        }
        if (commit) {
            committed.addAll(pending);
        }
        pending.clear();
    }

    private void close() throws SQLException {
        if (open != null) {
            open.rollback();
            open.close();
            open = null;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
