package dev.waybill.servicebus.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Everything at once. By default 4,000 messages; {@code -Dwaybill.stress.messages=40000} is the long form (profile {@code
 * stress}), {@code -Dwaybill.stress.seed} repeats a run's choices.
 */
@ExtendWith(PostgresExtension.class)
class StressTest {
    static final String DESTINATION = "orders";

    private static final int WRITERS = 12;
    private static final int RELAYS = 3;
    private static final int MESSAGES = Integer.getInteger("waybill.stress.messages", 4_000);
    private static final long SEED = Long.getLong("waybill.stress.seed", System.nanoTime());

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nothing_is_lost_and_nothing_first_arrives_out_of_order_whatever_is_killed(TestDatabase database)
            throws Exception {
        stress(
                database,
                bus -> {},
                () -> assertThat(holds(database).list())
                        .as("holds without a refused message")
                        .isEmpty());
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    @Tag("long")
    void refused_messages_keep_their_sessions_in_order_whatever_is_killed_and_released(TestDatabase database)
            throws Exception {
        var operators = new ArrayList<Operator>();
        try {
            stress(
                    database,
                    bus -> {
                        bus.faults()
                                .at(FaultPoint.BEFORE_STORE)
                                .entity(DESTINATION)
                                .when(new Refusals())
                                .then(FaultAction.reject(BrokerError.MESSAGE_SIZE_EXCEEDED));
                        operators.add(new Operator(holds(database), new SplittableRandom(SEED)));
                    },
                    () -> {});
        } finally {
            for (Operator operator : operators) {
                operator.leave();
            }
        }
        System.out.println(operators.get(0).releases() + " releases");
        assertThat(operators.get(0).releases()).isPositive();
    }

    private static Holds holds(TestDatabase database) {
        return Holds.ofOutbox(database.dataSource(), new SchemaName(database.schema()));
    }

    private static void stress(TestDatabase database, Consumer<EmbeddedServiceBus> extra, Runnable always)
            throws Exception {
        System.out.println("Stress with seed " + SEED + " and " + MESSAGES + " messages");
        var random = new SplittableRandom(SEED);
        var schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        DSLContext dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        String truth = schema.table("truth");
        Writer.createTruth(dsl, truth);

        try (var bus = startBus()) {
            extra.accept(bus);
            String summary;
            try (var chaos = new Chaos(
                    RELAYS,
                    () -> RelayProcess.start(database.server().jdbcUrl(), schema.value(), bus.connectionString()),
                    bus,
                    random.split())) {
                write(dsl, schema, truth, random);
                summary = chaos.calm();
                int committed = dsl.fetchCount(DSL.table(truth));
                await().atMost(3, TimeUnit.MINUTES).untilAsserted(() -> {
                    always.run();
                    assertThat(bus.journal(DESTINATION).storedCount()).isGreaterThanOrEqualTo(committed);
                });
                await().atMost(1, TimeUnit.MINUTES)
                        .untilAsserted(() -> assertThat(rows(dsl, schema))
                                .as("rows left once the ring has turned")
                                .isLessThan(committed / 2));
            }
            System.out.println(
                    summary + ", " + bus.journal(DESTINATION).duplicates().size() + " repeats dropped, "
                            + rows(dsl, schema) + " rows left");
            always.run();
            assertThat(arrived(bus)).isEqualTo(Writer.committedOrder(dsl, truth));
        }
    }

    private static int rows(DSLContext dsl, SchemaName schema) {
        return dsl.fetchCount(DSL.table(schema.table("outbox_message")));
    }

    private static EmbeddedServiceBus startBus() {
        var bus = EmbeddedServiceBus.builder()
                .queue(DESTINATION, queue -> queue.requiresSession().duplicateDetection(Duration.ofHours(1)))
                .faultSeed(SEED)
                .start();
        bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity(DESTINATION)
                .probability(0.02)
                .then(FaultAction.dropConnection());
        return bus;
    }

    private static void write(DSLContext dsl, SchemaName schema, String truth, SplittableRandom random)
            throws InterruptedException {
        var outbox = Outbox.builder().schema(schema).build();
        var left = new AtomicInteger(MESSAGES);
        var failed = new AtomicInteger();
        var load = new Writer.Load(DESTINATION, truth, 0);
        var writers = new ArrayList<Thread>();
        for (int i = 0; i < WRITERS; i++) {
            var writer = new Thread(new Writer(dsl, outbox, load, left, random.split(), "w" + i), "writer-" + i);
            writer.setUncaughtExceptionHandler((thread, e) -> {
                e.printStackTrace();
                failed.incrementAndGet();
                left.set(0);
            });
            writers.add(writer);
            writer.start();
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(failed).as("writers that failed").hasValue(0);
    }

    private static Map<String, List<String>> arrived(EmbeddedServiceBus bus) {
        var arrived = new HashMap<String, List<String>>();
        for (Stored stored : bus.journal(DESTINATION).stored()) {
            arrived.computeIfAbsent(stored.sessionId(), session -> new ArrayList<>())
                    .add(stored.messageId());
        }
        return arrived;
    }
}
