package dev.waybill.proof.run;

import dev.waybill.proof.check.Money;
import dev.waybill.proof.database.Servers;
import dev.waybill.proof.timeline.Timeline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks into the database each second, and counts the money now and then. */
final class Watch implements AutoCloseable {
    private static final String SAMPLE = """
            select (select coalesce(sum(n), 0) from truth_place),
                (select coalesce(sum(n), 0) from effect_place),
                (select coalesce(sum(n), 0) from effect_place where consumer = 'ledger')
                    + (select count(*) from skipped where consumer = 'ledger')
            """;
    private static final String PENDING = "select count(*) from waybill.outbox_message";

    private final Servers servers;
    private final Timeline timeline;
    private final List<String> wrongSums = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "watch");
    private final Due samples = new Due(Duration.ofSeconds(1));
    private final Due pendings = new Due(Duration.ofSeconds(5));
    private final Due words = new Due(Duration.ofSeconds(10));
    private final Due sums = new Due(Duration.ofSeconds(30));
    private volatile boolean ended;
    private volatile Timeline.@Nullable Sample last;
    private int looks;
    private long pending = Long.MAX_VALUE;

    Watch(Servers servers, Timeline timeline) {
        this.servers = servers;
        this.timeline = timeline;
    }

    void start() {
        thread.start();
    }

    /** The last sample, if there is one. */
    Timeline.@Nullable Sample last() {
        return last;
    }

    synchronized List<String> wrongSums() {
        return List.copyOf(wrongSums);
    }

    synchronized int looks() {
        return looks;
    }

    private void run() {
        while (!ended) {
            long begun = System.nanoTime();
            try (var connection = servers.connect()) {
                look(connection);
            } catch (SQLException e) {
                // Away: the next second shows.
            }
            samples.done(begun);
            try {
                samples.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void look(Connection connection) throws SQLException {
        // Beside a snapshot that holds vacuum back, it reads all rows that were published.
        if (pendings.isDue()) {
            long begun = System.nanoTime();
            pending = number(connection, PENDING);
            pendings.done(begun);
        }
        sample(connection);
        if (sums.isDue()) {
            long begun = System.nanoTime();
            count(connection);
            sums.done(begun);
        }
    }

    private void sample(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(SAMPLE)) {
            rows.next();
            var sample =
                    new Timeline.Sample(timeline.now(), rows.getLong(1), rows.getLong(2), rows.getLong(3), pending);
            timeline.sample(sample);
            last = sample;
            if (words.isDue()) {
                words.done(System.nanoTime());
                timeline.say("written %,d, ledger %,d, all effects %,d, pending %,d"
                        .formatted(sample.written(), sample.ledger(), sample.effects(), sample.pending()));
            }
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private synchronized void count(Connection connection) throws SQLException {
        looks++;
        Money.wrong(connection).ifPresent(text -> wrongSums.add("at " + timeline.now() / 1000 + " s: " + text));
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
