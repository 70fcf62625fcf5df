package dev.waybill.servicebus.stress;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * Writes transactions of every kind that has broken an outbox: rolled back, with savepoints, long, with an id long before
 * the first row, over several sessions. The truth about commit order is a counter row per session, which knows nothing of
 * the outbox's own lock.
 */
public final class Writer implements Runnable {
    private static final int SESSIONS = 48;

    private final DSLContext dsl;
    private final Outbox outbox;
    private final Load load;
    private final AtomicInteger left;
    private final SplittableRandom random;
    private final String name;
    private int transactions;

    /** @param left how many transactions are to be written, by all writers that share it */
    public Writer(DSLContext dsl, Outbox outbox, Load load, AtomicInteger left, SplittableRandom random, String name) {
        this.dsl = dsl;
        this.outbox = outbox;
        this.load = load;
        this.left = left;
        this.random = random;
        this.name = name;
    }

    /** Makes the tables of what was committed. */
    public static void createTruth(DSLContext dsl, String truth) {
        dsl.execute("create table " + truth + " (session text, n int, id text)");
        dsl.execute("create table " + truth + "_session (session text primary key, n int)");
    }

    /** The messages that were committed, by session, in order. */
    public static Map<String, List<String>> committedOrder(DSLContext dsl, String truth) {
        return dsl.fetch("select session, id from " + truth + " order by session, n")
                .intoGroups(row -> row.get("session", String.class), row -> row.get("id", String.class));
    }

    @Override
    public void run() {
        while (left.get() > 0) {
            int committed = switch (random.nextInt(20)) {
                case 0 -> rolledBack();
                case 1 -> withRolledBackSavepoint();
                case 2 -> longOpen();
                case 3 -> earlyId();
                case 4 -> severalSessions();
                default -> plain();
            };
            left.addAndGet(-committed);
            pause();
        }
    }

    private void pause() {
        if (load.meanPauseMillis() > 0) {
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(2 * load.meanPauseMillis() + 1))
                    .toNanos());
        }
    }

    private int plain() {
        dsl.transaction(tx -> write(tx.dsl(), session()));
        return 1;
    }

    private int rolledBack() {
        try {
            dsl.transaction(tx -> {
                write(tx.dsl(), session());
                throw new OnPurpose();
            });
        } catch (OnPurpose e) {
            return 0;
        }
        throw new AssertionError("The transaction was to be rolled back");
    }

    private int withRolledBackSavepoint() {
        dsl.transaction(tx -> {
            write(tx.dsl(), session());
            try {
                tx.dsl().transaction(nested -> {
                    write(nested.dsl(), "only-undone");
                    throw new OnPurpose();
                });
            } catch (OnPurpose e) {
                tx.dsl().execute("select 1");
            }
        });
        return 1;
    }

    private int longOpen() {
        dsl.transaction(tx -> {
            write(tx.dsl(), session());
            tx.dsl().execute("select pg_sleep(" + random.nextDouble(0.3) + ")");
        });
        return 1;
    }

    private int earlyId() {
        dsl.transaction(tx -> {
            tx.dsl().execute("select pg_current_xact_id()");
            tx.dsl().execute("select pg_sleep(" + random.nextDouble(0.1) + ")");
            write(tx.dsl(), session());
        });
        return 1;
    }

    private int severalSessions() {
        var sessions = new TreeSet<String>();
        while (sessions.size() < 3) {
            sessions.add(session());
        }
        dsl.transaction(tx -> {
            int transaction = transactions++;
            outbox.append(
                    tx.dsl(),
                    sessions.stream().map(s -> message(s, transaction)).toList());
            sessions.forEach(s -> record(tx.dsl(), s, transaction));
        });
        return sessions.size();
    }

    private void write(DSLContext tx, String session) {
        int transaction = transactions++;
        outbox.append(tx, message(session, transaction));
        record(tx, session, transaction);
    }

    private OutboxMessage message(String session, int transaction) {
        return OutboxMessage.to(load.destination())
                .session(session)
                .id(id(session, transaction))
                .text("x".repeat(random.nextInt(512)))
                .build();
    }

    private void record(DSLContext tx, String session, int transaction) {
        tx.execute("""
                with next as (
                  insert into %1$s_session (session, n) values ({0}, 1)
                  on conflict (session) do update set n = %1$s_session.n + 1 returning n)
                insert into %1$s (session, n, id) select {0}, n, {1} from next
                """.formatted(load.truth()), DSL.inline(session), DSL.inline(id(session, transaction)));
    }

    private String id(String session, int transaction) {
        return name + "-" + transaction + "-" + session;
    }

    private String session() {
        return "s" + random.nextInt(SESSIONS);
    }

    /**
     * The load that a writer writes.
     *
     * @param destination where to
     * @param truth the table of what was committed, in order
     * @param meanPauseMillis between two transactions of one writer
     */
    public record Load(String destination, String truth, int meanPauseMillis) {}

    private static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
