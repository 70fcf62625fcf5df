package dev.waybill.proof.role;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * A service that transfers money, in each style in which a transaction can append. It writes until the database has the number of
 * messages, and waits while too many of them have no effect yet.
 */
final class WriterRole implements AutoCloseable {
    private static final int THREADS = 5;
    private static final long PACE_MILLIS = 250;
    private static final long AFTER_FAILURE_MILLIS = 200;

    private final DataSource pool;
    private final Terms terms;
    private final AtomicBoolean writing = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    private WriterRole(Terms terms, DataSource pool) {
        this.terms = terms;
        this.pool = pool;
    }

    static AutoCloseable start(Terms terms, DataSource pool) {
        var role = new WriterRole(terms, pool);
        String incarnation = UUID.randomUUID().toString().substring(0, 8);
        for (int i = 0; i < THREADS; i++) {
            String name = incarnation + "-" + i;
            var random = new SplittableRandom(Transfer.lot(name, terms.text("seed")));
            role.begin(() -> role.write(new Transfers(pool, name, terms.number("sessions"), random)));
        }
        role.begin(() -> role.keepOpen(new LongTransaction(pool, incarnation, terms.number("long-seconds"))));
        role.begin(role::pace);
        return role;
    }

    private void begin(Runnable loop) {
        var thread = new Thread(loop, "writer-" + threads.size());
        threads.add(thread);
        thread.start();
    }

    private void write(Transfers transfers) {
        while (!ended.get()) {
            if (!writing.get()) {
                rest(PACE_MILLIS);
                continue;
            }
            try {
                transfers.next();
            } catch (SQLException | RuntimeException e) {
                // Its end may be unknown; the database knows, and nobody asks the writer.
                System.err.println("not written: " + e);
                rest(AFTER_FAILURE_MILLIS);
            }
        }
    }

    private void keepOpen(LongTransaction transaction) {
        while (!ended.get()) {
            try {
                if (writing.get()) {
                    transaction.run(ended::get);
                }
            } catch (SQLException | RuntimeException e) {
                System.err.println("long transaction: " + e);
            }
            rest(AFTER_FAILURE_MILLIS);
        }
    }

    private void pace() {
        while (!ended.get()) {
            long begun = System.nanoTime();
            try {
                var progress = Progress.read(pool);
                writing.set(progress.written() < terms.number("messages")
                        && progress.written() - progress.handled() < terms.number("backlog"));
            } catch (SQLException e) {
                System.err.println("no progress: " + e);
            }
            // Each row of a place has many dead versions while a long transaction is open.
            long shared = 20 * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            rest(Math.max(PACE_MILLIS, Math.min(shared, 10 * PACE_MILLIS)));
        }
    }

    private static void rest(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ended.set(true);
        for (Thread thread : threads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** How many are written, and how many the slower of the two consumers of everything has handled. */
    private record Progress(long written, long handled) {
        private static final String PROGRESS = """
                select (select coalesce(sum(n), 0) from truth_place),
                    least((select coalesce(sum(n), 0) from effect_place where consumer = 'ledger'),
                        (select coalesce(sum(n), 0) from effect_place where consumer = 'audit'))
                """;

        static Progress read(DataSource pool) throws SQLException {
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery(PROGRESS)) {
                rows.next();
                return new Progress(rows.getLong(1), rows.getLong(2));
            }
        }
    }
}
