package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random writers, a publisher with random failures, and two relays that stop, die, and stand still for longer than their lease.
 * Nothing is missed, first arrivals are in the order of the commits. {@code -Dwaybill.history.seeds=20
 * -Dwaybill.history.seconds=40} for more.
 */
@ExtendWith(PostgresExtension.class)
class RandomHistoryTest {
    private static final Logger LOG = LoggerFactory.getLogger(RandomHistoryTest.class);
    private static final int WRITERS = 20;
    private static final String[] DESTINATIONS = {"bills", "orders", "parcels"};

    private final AtomicBoolean stop = new AtomicBoolean();

    static LongStream seeds() {
        long first = Long.getLong("waybill.history.first", 1);
        return LongStream.range(first, first + Integer.getInteger("waybill.history.seeds", 2));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(300)
    void each_session_arrives_in_the_order_of_its_commits(long seed, TestDatabase database) throws Exception {
        var tables = new NewTables(database);
        var history = new History(tables);
        var broker = new Broker();
        broker.answers(failing(new Random(seed), seed % 2 == 0));
        var pace = new Random(seed);
        broker.takes(() -> pace.nextInt(40));
        List<Thread> writers = IntStream.range(0, WRITERS)
                .mapToObj(n -> new Thread(new HistoryWriter(tables, history, seed * 1_000 + n, stop), "test-writer"))
                .toList();
        writers.forEach(Thread::start);
        List<ThreadedRelay> relays = new ArrayList<>(List.of(relay(tables, broker), relay(tables, broker)));
        disturb(new Random(seed), tables, broker, relays);

        stop.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        try {
            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(() -> assertThat(tables.fetch("select destination, session_id, seq, message_id"
                                    + " from $.outbox_message order by seq limit 10"))
                            .isEmpty());
        } finally {
            relays.forEach(ThreadedRelay::stop);
        }

        LOG.info(
                "Seed {}: {} committed, {} arrived, of which {} again, {} held, {} claims",
                seed,
                tables.one(Integer.class, "select count(*) from $.truth"),
                broker.arrived().size(),
                broker.arrived().size() - broker.arrived().stream().distinct().count(),
                tables.one(Integer.class, "select count(*) from $.outbox_held_message"),
                tables.one(Integer.class, "select sum(epoch) from $.outbox_destination"));
        history.verify(broker.arrivals());
    }

    private static ThreadedRelay relay(NewTables tables, Broker broker) {
        return new ThreadedRelay(tables, broker, DESTINATIONS);
    }

    private void disturb(Random random, NewTables tables, Broker broker, List<ThreadedRelay> relays)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("waybill.history.seconds", 6));
        while (System.nanoTime() - end < 0) {
            Thread.sleep(1_000 + random.nextInt(1_500));
            int which = random.nextInt(relays.size());
            switch (random.nextInt(4)) {
                case 0 -> {
                    relays.get(which).stop();
                    relays.set(which, relay(tables, broker));
                }
                case 1 -> {
                    relays.get(which).die();
                    relays.set(which, relay(tables, broker));
                }
                case 2 -> {
                    relays.get(which).frozen(true);
                    Thread.sleep(2_000 + random.nextInt(1_500));
                    relays.get(which).frozen(false);
                }
                default -> Thread.sleep(500);
            }
        }
    }

    // Takes its time as well, so that lanes fill.
    private static Function<Shipment, PublishResult> failing(Random random, boolean refuses) {
        return shipment -> {
            int rows = shipment.rows().size();
            int dice = random.nextInt(1_000);
            var failure = new IllegalStateException("random");
            if (dice < 30) {
                return PublishResult.failed(random.nextInt(rows + 1), failure);
            }
            if (dice < 35) {
                return new PublishResult(random.nextInt(rows + 1), Outcome.THROTTLED, failure);
            }
            if (dice < 38) {
                return new PublishResult(0, Outcome.DESTINATION_REFUSED, failure);
            }
            if (dice < 40 && refuses) {
                return PublishResult.refused(random.nextInt(rows), failure);
            }
            return PublishResult.accepted(rows);
        };
    }
}
