package dev.waybill.proof.run;

import dev.waybill.proof.check.Money;
import dev.waybill.proof.database.Servers;
import dev.waybill.proof.timeline.Timeline;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    private static final long LOOK_SECONDS = 30;
    private static final long SAY_SECONDS = 10;
    private static final long PENDING_SECONDS = 5;

    private final Servers servers;
    private final Timeline timeline;
    private final List<String> wrongSums = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "watch");
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
        for (long second = 0; !ended; second++) {
            try (var connection = servers.connect()) {
                look(connection, second);
            } catch (SQLException e) {
                // Away: the next second shows.
            }
            rest();
        }
    }

    private void look(Connection connection, long second) throws SQLException {
        // Beside a snapshot that holds vacuum back, it reads all rows that were published.
        if (second % PENDING_SECONDS == 0) {
            pending = number(connection, PENDING);
        }
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(SAMPLE)) {
            rows.next();
            var sample =
                    new Timeline.Sample(timeline.now(), rows.getLong(1), rows.getLong(2), rows.getLong(3), pending);
            timeline.sample(sample);
            last = sample;
            if (second % SAY_SECONDS == 0) {
                timeline.say("written %,d, ledger %,d, all effects %,d, pending %,d"
                        .formatted(sample.written(), sample.ledger(), sample.effects(), sample.pending()));
            }
        }
        if (second % LOOK_SECONDS == LOOK_SECONDS - 1) {
            count(connection);
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

    private static void rest() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
