package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Savepoints, two-phase commits, rollbacks, many ids at once and borders of partitions between the looks of a relay with small
 * pages that dies now and then: whatever has committed is sent by the next run, in the order of its session.
 */
@ExtendWith(PostgresExtension.class)
class RandomTransactionsTest {
    private final Set<String> committed = new LinkedHashSet<>();
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private final Random random = new Random();
    private List<RandomWriter> writers;
    private RelayUnderTest relay;

    @BeforeEach
    void start_writers_and_a_relay(TestDatabase database) {
        outbox = new OutboxFixture(database);
        var ids = new AtomicInteger();
        writers = IntStream.range(0, 8)
                .mapToObj(number -> new RandomWriter(outbox, number, random, ids))
                .toList();
        relay = outbox.relay(broker, 3).started();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void what_has_committed_is_sent_by_the_next_run_in_order(long seed) throws Exception {
        takeSteps(seed, 300);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void what_has_committed_is_sent_by_the_next_run_in_order_for_longer(long seed) throws Exception {
        takeSteps(seed, 1_500);
    }

    private void takeSteps(long seed, int steps) throws Exception {
        random.setSeed(seed);
        try {
            for (int step = 0; step < steps; step++) {
                takeStep();
            }
        } finally {
            for (RandomWriter writer : writers) {
                writer.end(true, committed);
            }
        }
        runAndCompare();
    }

    private void takeStep() throws Exception {
        RandomWriter writer = writers.get(random.nextInt(writers.size()));
        int what = random.nextInt(100);
        if (what < 55) {
            writer.append();
        } else if (what < 70) {
            writer.end(random.nextInt(4) > 0, committed);
        } else if (what < 75) {
            writer.prepare();
        } else if (what < 77) {
            outbox.execute("do $do$ begin for n in 1.." + (1 + random.nextInt(1_500))
                    + " loop perform pg_current_xact_id(); commit; end loop; end $do$");
        } else if (what < 78) {
            outbox.enterNextPartition();
        } else if (what < 80) {
            relay.close();
            outbox.expireLeases();
            relay = outbox.relay(broker, 1 + random.nextInt(8)).started();
        } else if (what < 82) {
            outbox.letRecordingBeDue();
        } else if (what < 86) {
            compareBacklog();
        } else {
            runAndCompare();
        }
    }

    // Late rows that do not fit into a small page are left to the next run.
    private void runAndCompare() {
        relay.run();
        for (int more = 0; more < 20 && !broker.arrived().containsAll(committed); more++) {
            relay.run();
        }
        var arrived = new LinkedHashSet<>(broker.arrived());
        assertThat(arrived).containsExactlyInAnyOrderElementsOf(committed);
        Map<String, String> last = new HashMap<>();
        for (String id : arrived) {
            String before = last.put(id.substring(0, id.indexOf('-')), id);
            assertThat(before == null || before.compareTo(id) < 0)
                    .as("%s before %s", before, id)
                    .isTrue();
        }
    }

    /** By one snapshot, the view of the alarms counts what the status of each row says. */
    private void compareBacklog() {
        outbox.dsl.transaction(tx -> {
            tx.dsl().execute("set transaction isolation level repeatable read");
            var told = tx.dsl()
                    .fetch("select destination, pending from %s.outbox_backlog where pending > 0 order by 1"
                            .formatted(outbox.schema));
            var counted = tx.dsl()
                    .fetch(
                            "select destination, count(*) as pending from %s.outbox_message_status where status = 'pending' group by 1 order by 1"
                                    .formatted(outbox.schema));
            assertThat(told.formatCSV()).isEqualTo(counted.formatCSV());
        });
    }
}
