package dev.waybill.servicebus.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Standbys are promoted, connections hang, rows are restored elsewhere, while writers write and relays publish. By default
 * 2,400 messages and one event of each of the worst kinds; {@code -Dwaybill.stress.failover=100000} is the long form
 * (profile {@code stress}), with an event for every thousand messages. {@code -Dwaybill.stress.seed} repeats a run's
 * choices.
 */
class FailoverStressTest {
    static final String DESTINATION = "orders";

    private static final int SHORT = 2_400;
    private static final int MESSAGES = Integer.getInteger("waybill.stress.failover", SHORT);
    private static final boolean IS_LONG = MESSAGES > SHORT;
    private static final int MESSAGES_PER_EVENT = 1_000;
    private static final int WRITERS = 12;
    private static final int MEAN_PAUSE_MILLIS = IS_LONG ? 5 : 25;
    private static final int RELAYS = 3;
    private static final long SEED = Long.getLong("waybill.stress.seed", System.nanoTime());

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void what_the_surviving_database_has_arrives_in_order_whatever_is_promoted_and_hangs() throws Exception {
        System.out.println("Failover stress with seed " + SEED + " and " + MESSAGES + " messages");
        var random = new SplittableRandom(SEED);
        try (var routes = Routes.of(RELAYS);
                var bus = startBus();
                var servers = new ServerPair(routes.all());
                var relays = new Relays(routes.relays(), bus);
                var writers =
                        new FailoverWriters(routes.writers(), WRITERS, MESSAGES, MEAN_PAUSE_MILLIS, random.split())) {
            relays.start();
            writers.start();
            try (var chaos = new FailoverChaos(servers, routes, relays, bus, new Random(random.nextLong()))) {
                var arrivals = new FailoverArrivals(bus, servers);
                disturb(chaos, writers, random);
                writers.join();
                chaos.calm();
                arrivals.awaitAll();
                System.out.println("Seed " + SEED + ": " + writers.committed() + " committed, " + arrivals.summary()
                        + "; "
                        + writers.lostConnections() + " transactions of writers failed; " + chaos.summary());
                arrivals.assertInOrder();
                assertThat(chaos.promotions()).as("promotions").isPositive();
                assertThat(chaos.hungConnections()).as("hung connections").isPositive();
            }
        }
    }

    private static void disturb(FailoverChaos chaos, FailoverWriters writers, SplittableRandom random)
            throws Exception {
        var choices = new Random(random.nextLong());
        List<FailoverEvent> events =
                IS_LONG ? FailoverEvent.many(MESSAGES / MESSAGES_PER_EVENT - 1, choices) : FailoverEvent.few(choices);
        int each = MESSAGES / (events.size() + 1);
        for (int i = 0; i < events.size(); i++) {
            int due = (i + 1) * each;
            await("messages written")
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> writers.committed() >= due);
            chaos.rest(0, 300);
            chaos.make(events.get(i));
        }
    }

    private static EmbeddedServiceBus startBus() {
        var bus = EmbeddedServiceBus.builder()
                .queue(DESTINATION, queue -> queue.requiresSession().duplicateDetection(Duration.ofHours(1)))
                .journalLimit(2_000_000)
                .faultSeed(SEED)
                .start();
        bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity(DESTINATION)
                .probability(0.01)
                .then(FaultAction.dropConnection());
        return bus;
    }
}
