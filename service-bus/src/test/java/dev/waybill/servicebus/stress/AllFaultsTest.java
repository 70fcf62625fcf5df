package dev.waybill.servicebus.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.publisher.BatchMode;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two relays, two queues, and a broker that for a while makes every trouble there is. By default at least 5 s of it; {@code
 * -Dwaybill.stress.storm=60} is the long form (profile {@code stress}), {@code -Dwaybill.stress.seed} repeats the choices of
 * a run.
 */
@ExtendWith(PostgresExtension.class)
class AllFaultsTest {
    static final Duration SEND_DEADLINE = Duration.ofSeconds(2);

    private static final List<String> QUEUES = List.of("orders", "wallets");
    private static final int RELAYS = 2;
    private static final int WRITERS = 4;
    private static final int MEAN_PAUSE_MILLIS = 10;
    private static final int STORM_SECONDS = Integer.getInteger("waybill.stress.storm", 5);
    private static final int MESSAGES = 300 * STORM_SECONDS;
    private static final Poison POISON = new Poison(20 * STORM_SECONDS);
    private static final long SEED = Long.getLong("waybill.stress.seed", System.nanoTime());

    private DSLContext dsl;
    private SchemaName schema;
    private Holds holds;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        QUEUES.forEach(queue -> Writer.createTruth(dsl, truth(queue)));
        holds = Holds.ofOutbox(database.dataSource(), schema);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @Tag("long")
    void after_every_trouble_at_once_everything_drains_and_only_refused_messages_are_held(TestDatabase database)
            throws Exception {
        System.out.println("Storm of " + STORM_SECONDS + " s with seed " + SEED);
        var random = new SplittableRandom(SEED);
        var relays = new ArrayList<Relay>();
        try (var bus = EmbeddedServiceBus.builder().faultSeed(SEED).start()) {
            var queues = new Queues(bus, QUEUES);
            var storm = new Storm(bus, queues, POISON, random.split());
            // After the storm's rules, so that trouble befalls poison too.
            POISON.refuse(bus, "orders", BrokerError.MESSAGE_SIZE_EXCEEDED);
            POISON.refuse(bus, "wallets", BrokerError.NOT_ALLOWED);
            try {
                for (int i = 0; i < RELAYS; i++) {
                    relays.add(startRelay(database, bus, "relay-" + i));
                }
                write(storm, random);
                storm.calm();
                System.out.println("Hits: " + storm.hits());
                awaitFates(queues);
                assertFates(bus, queues);
                assertThat(Destinations.of(database.dataSource(), schema).refused())
                        .isEmpty();
            } finally {
                storm.calm();
                relays.forEach(Relay::close);
            }
        }
    }

    private Relay startRelay(TestDatabase database, EmbeddedServiceBus bus, String name) {
        var publisher = ServiceBusPublisher.of(
                        () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                .withSendDeadline(SEND_DEADLINE)
                .withBatches("wallets", BatchMode.PER_SESSION);
        var relay = Relay.builder(database.dataSource())
                .schema(schema)
                .name(name)
                .publisher(publisher)
                .tuning(tuning -> tuning.leaseDuration(Duration.ofSeconds(5)));
        QUEUES.forEach(relay::destination);
        return relay.build().start();
    }

    // The writers go on until each trouble has hit something, for only what is sent can be hit.
    private void write(Storm storm, SplittableRandom random) throws InterruptedException {
        var outbox = Outbox.builder().schema(schema).build();
        var left = new AtomicInteger(Integer.MAX_VALUE);
        var failed = new AtomicInteger();
        var writers = new ArrayList<Thread>();
        for (int i = 0; i < WRITERS; i++) {
            String queue = QUEUES.get(i % QUEUES.size());
            var load = new Writer.Load(queue, truth(queue), MEAN_PAUSE_MILLIS);
            var thread = new Thread(new Writer(dsl, outbox, load, left, random.split(), "w" + i), "writer-" + i);
            thread.setUncaughtExceptionHandler((writer, e) -> {
                e.printStackTrace();
                failed.incrementAndGet();
            });
            writers.add(thread);
            thread.start();
        }
        storm.begin();
        try {
            await().pollDelay(STORM_SECONDS, TimeUnit.SECONDS)
                    .atMost(STORM_SECONDS + 180, TimeUnit.SECONDS)
                    .until(() -> Integer.MAX_VALUE - left.get() >= MESSAGES && storm.hasShownEverything());
        } finally {
            left.set(0);
            for (Thread writer : writers) {
                writer.join();
            }
        }
        assertThat(failed).as("writers that failed").hasValue(0);
    }

    private void awaitFates(Queues queues) {
        for (String queue : QUEUES) {
            int committed = dsl.fetchCount(DSL.table(truth(queue)));
            await().atMost(4, TimeUnit.MINUTES)
                    .untilAsserted(() -> assertThat(queues.arrived(queue) + heldCount(queue))
                            .as("arrived or held")
                            .isGreaterThanOrEqualTo(committed));
        }
    }

    private void assertFates(EmbeddedServiceBus bus, Queues queues) {
        int refused = 0;
        for (String queue : QUEUES) {
            var free = new HashMap<String, List<String>>();
            var held = new HashMap<String, List<String>>();
            Writer.committedOrder(dsl, truth(queue)).forEach((session, ids) -> {
                int poison = POISON.firstIn(ids);
                if (poison > 0) {
                    free.put(session, ids.subList(0, poison));
                }
                if (poison < ids.size()) {
                    held.put(session, ids.subList(poison, ids.size()));
                }
            });
            assertThat(queues.firstArrivals(queue))
                    .as("first arrivals at " + queue)
                    .isEqualTo(free);
            assertThat(held(queue)).as("held for " + queue).isEqualTo(held);
            assertRepeatsAreTheDeletions(bus, queues, queue);
            assertNoLifeSkips(queues.lives(queue), free);
            refused += held.size();
        }
        System.out.println(refused + " sessions held");
        assertThat(refused).isPositive();
    }

    /** Only a queue made anew may store again what it had stored, and what it stored is there until it is deleted. */
    private static void assertRepeatsAreTheDeletions(EmbeddedServiceBus bus, Queues queues, String queue) {
        List<List<String>> lives = queues.lives(queue);
        int stored = 0;
        for (List<String> life : lives) {
            assertThat(life).as("stored by one life of " + queue).doesNotHaveDuplicates();
            stored += life.size();
        }
        assertThat(bus.inspect(queue).active())
                .isEqualTo(lives.get(lives.size() - 1).size());
        System.out.println(queue + ": " + queues.arrived(queue) + " arrived, "
                + (stored - queues.arrived(queue)) + " of them again in " + lives.size() + " lives, "
                + bus.journal(queue).duplicates().size() + " repeats dropped");
        assertThat(bus.journal(queue).forgotten()).as("forgotten records").isZero();
    }

    /** Also what is stored again is in order, and follows without a gap on what that life of the queue stored before. */
    private static void assertNoLifeSkips(List<List<String>> lives, Map<String, List<String>> committed) {
        var before = new HashMap<String, String>();
        committed.values().forEach(ids -> {
            for (int i = 1; i < ids.size(); i++) {
                before.put(ids.get(i), ids.get(i - 1));
            }
        });
        for (List<String> life : lives) {
            var stored = new HashSet<String>();
            var begun = new HashSet<String>();
            for (String id : life) {
                boolean first = begun.add(id.substring(id.lastIndexOf('-')));
                assertThat(first || stored.contains(before.get(id)))
                        .as("%s after %s", id, before.get(id))
                        .isTrue();
                stored.add(id);
            }
        }
    }

    private int heldCount(String queue) {
        return holds.list().stream()
                .filter(hold -> hold.key().scope().equals(queue))
                .mapToInt(Hold::messages)
                .sum();
    }

    private Map<String, List<String>> held(String queue) {
        var held = new HashMap<String, List<String>>();
        var keys = new HashSet<>();
        for (Hold hold : holds.list()) {
            assertThat(keys.add(hold.key())).isTrue();
            if (hold.key().scope().equals(queue)) {
                held.put(
                        hold.key().session(),
                        holds.messages(hold.key(), 100_000).stream()
                                .map(message -> message.content().messageId())
                                .toList());
            }
        }
        return held;
    }

    private String truth(String queue) {
        return schema.table("truth_" + queue);
    }
}
