package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.supervision.DeferredInterrupts;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The assembled relay, with its threads and its listener. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class RelayEngineTest {
    private final Broker broker = new Broker();
    private NewTables tables;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
    }

    @Test
    void a_relay_that_is_stopped_hands_over_and_nothing_is_sent_twice() {
        RelayEngine first = engine();
        tables.append("orders", "s", "m1");
        await().untilAsserted(() -> assertThat(broker.arrived()).containsExactly("m1"));
        RelayEngine second = engine();
        tables.append("orders", "s", "m2");
        await().untilAsserted(() -> assertThat(broker.arrived()).containsExactly("m1", "m2"));
        end(first);
        tables.append("orders", "s", "m3");
        await().untilAsserted(() -> assertThat(broker.arrived()).containsExactly("m1", "m2", "m3"));
        await().untilAsserted(() -> assertThat(waiting()).isZero());
        end(second);

        assertThat(tables.one(Integer.class, "select count(*) from $.relay")).isZero();
        assertThat(tables.one(Integer.class, "select count(*) from $.outbox_destination where owner is not null"))
                .isZero();
    }

    @Test
    void an_error_of_the_publisher_ends_no_loop() {
        var thrown = new AtomicInteger();
        broker.answers(shipment -> {
            if (thrown.incrementAndGet() <= 3) {
                throw new OutOfMemoryError("of the test");
            }
            return Broker.all(shipment);
        });
        RelayEngine engine = engine();
        tables.append("orders", "s", "m1", "m2");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(broker.firstOf("s")).containsExactly("m1", "m2"));
        end(engine);
    }

    @Test
    void a_stop_settles_what_is_under_way() {
        broker.answersNothing();
        RelayEngine engine = engine();
        // One message, so that the loop has nothing to send between the answer and its end.
        tables.append("orders", "s", "m1");
        var sent = await().until(broker::takePending, pending -> !pending.isEmpty());
        var stopping = new Thread(() -> end(engine));
        stopping.start();
        // It waits for the loop, which waits for the answer.
        await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
        sent.get(0).answer(PublishResult.accepted(sent.get(0).shipment.rows().size()));
        await().until(() -> !stopping.isAlive());

        assertThat(waiting()).isZero();
    }

    private RelayEngine engine() {
        var engine = new RelayEngine(new RelaySettings(
                new RelaySettings.Database(tables.dataSource(), tables.schema, "test", true, false),
                Map.of("bills", HoldPolicy.HOLD_SESSION, "orders", HoldPolicy.HOLD_SESSION),
                broker,
                Duration.ofSeconds(15),
                new RelaySettings.Polling(Duration.ofMillis(8), Duration.ofMillis(500), 100),
                new RelaySettings.Keeping(Map.of(), null)));
        engine.signOn();
        engine.start();
        return engine;
    }

    private static void end(RelayEngine engine) {
        try (var interrupts = new DeferredInterrupts();
                var limit = engine.limitWaits()) {
            engine.end(false, limit, interrupts);
        }
    }

    private int waiting() {
        return tables.one(Integer.class, "select count(*) from $.outbox_message");
    }
}
