package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.Holds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Late rows that take many pages: what is sent of them stays sent, and lanes go on by themselves. */
@ExtendWith(PostgresExtension.class)
class LateProgressTest {
    private static final AuditContext BY_ANNA = new AuditContext("anna", "not wanted");

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private Holds holds;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
    }

    /** Service Bus says "busy" after each 1,000 messages: 20 such spells suffice for 3,000 messages, late or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_broker_that_is_busy_now_and_then_gets_all_rows_of_a_large_transaction_in_the_end(boolean late)
            throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        String[] ids = IntStream.range(0, 3_000).mapToObj(i -> "m" + i).toArray(String[]::new);
        var relay = outbox.relay(broker, 10).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), ids);
        if (late) {
            outbox.append(sessions.get(1), "fast");
            relay.run();
        }
        outbox.commit(slow);
        var budget = new AtomicInteger();
        broker.behave(shipment -> {
            int accepted = Math.min(budget.get(), shipment.rows().size());
            budget.addAndGet(-accepted);
            return accepted == shipment.rows().size()
                    ? PublishResult.accepted(accepted)
                    : new PublishResult(accepted, Outcome.THROTTLED, new IllegalStateException("server busy"));
        });

        for (int spell = 0; spell < 20 && !broker.arrived().contains("m2999"); spell++) {
            budget.set(1_000);
            relay.heartbeat().beat();
            relay.run();
            outbox.clock.advanceMillis(60_000);
        }

        assertThat(broker.arrived().stream().filter("m0"::equals).count())
                .as("how often the first of them was sent")
                .isLessThanOrEqualTo(2);
        assertThat(broker.arrived()).contains(ids);
    }

    @ParameterizedTest
    @ValueSource(strings = {"new rows, crash", "new rows, stop", "late rows, crash", "late rows, stop"})
    void what_was_sent_of_a_large_transaction_is_not_all_sent_again_by_the_next_owner(String kind) throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        String[] ids = IntStream.range(0, 6_000).mapToObj(i -> "m" + i).toArray(String[]::new);
        var relay = outbox.relay(broker, 10).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), ids);
        if (kind.startsWith("late")) {
            outbox.append(sessions.get(1), "fast");
            relay.run();
        }
        outbox.commit(slow);
        while (broker.arrived().size() < 3_000) {
            relay.heartbeat().beat();
            relay.turn().step(true);
            outbox.clock.advanceMillis(1_000);
        }
        int before = broker.arrived().size();
        assertThat(before).isLessThan(ids.length);
        if (kind.endsWith("stop")) {
            assertThat(relay.turn().leave(Duration.ofSeconds(10))).isZero();
        }
        outbox.closeRelays();
        outbox.expireLeases();

        outbox.relay(broker, 10).started().run();

        long different = broker.arrived().stream().distinct().count();
        assertThat(different).isGreaterThanOrEqualTo(ids.length);
        assertThat(broker.arrived().size() - different)
                .as("repeats of " + before + " that had been accepted")
                .isLessThan(before / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void a_lane_whose_send_takes_long_holds_up_no_other_lane_beside_late_rows(int lateRows) throws Exception {
        String a = "a";
        String b = other(a);
        String c = other(a, b);
        var slowly = new HeldBackPublisher(
                broker, shipment -> a.equals(shipment.rows().get(0).sessionId()));
        var relay = outbox.relay(slowly, 2).started();
        outbox.append(b, "fast");
        relay.run();
        var slow = outbox.open();
        for (int i = 0; i < lateRows / 2; i++) {
            outbox.append(slow, a, "a" + i);
            outbox.append(slow, b, "b" + i);
        }
        outbox.append(c, "c1");
        relay.turn().step(true);
        outbox.commit(slow);
        relay.turn().step(true);
        outbox.append(c, "c2");

        for (int step = 0; step < 500; step++) {
            relay.turn().step(true);
            outbox.clock.advanceMillis(50);
        }

        assertThat(broker.arrived()).as("of a session without late rows").contains("c2");
        assertThat(broker.arrived()).as("of the other session with late rows").contains("b" + (lateRows / 2 - 1));
    }

    @Test
    void a_late_row_that_an_operator_has_skipped_is_not_sent_after_all() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker, 1).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "poison");
        outbox.append(slow, sessions.get(1), "n1");
        outbox.append("fast", "fast");
        relay.run();
        outbox.commit(slow);
        broker.behave(shipment -> {
            PublishResult result = RecordingPublisher.refusing(shipment, Set.of("poison"));
            return result.outcome() == Outcome.MESSAGE_REFUSED
                    ? result
                    : PublishResult.failed(0, new IllegalStateException("link lost"));
        });
        relay.run();
        List<Hold> held = holds.list();
        assertThat(held).hasSize(1);
        holds.skipAll(HoldFilter.everything(), BY_ANNA);
        assertThat(holds.list()).isEmpty();
        broker.takeEverything();
        outbox.clock.advanceMillis(60_000);

        relay.run();
        relay.run();

        assertThat(broker.arrived()).contains("n1").doesNotContain("poison");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_refused_row_that_an_operator_has_mended_and_released_is_not_refused_again(boolean late) throws Exception {
        var sessions = outbox.sessionsOfOneBucket(3);
        String[] ids = IntStream.range(0, 400).mapToObj(i -> "n" + i).toArray(String[]::new);
        var relay = outbox.relay(broker, 10).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "poison");
        outbox.append(slow, sessions.get(1), ids);
        if (late) {
            outbox.append(sessions.get(2), "fast");
            relay.run();
        }
        outbox.commit(slow);
        var budget = new AtomicInteger(200);
        broker.behave(shipment -> {
            for (int i = 0; i < shipment.rows().size(); i++) {
                OutboxRow row = shipment.rows().get(i);
                if ("poison".equals(new String(row.content().body(), StandardCharsets.UTF_8))) {
                    return PublishResult.refused(i, new IllegalArgumentException("not valid"));
                }
            }
            int accepted = Math.min(budget.get(), shipment.rows().size());
            budget.addAndGet(-accepted);
            return accepted == shipment.rows().size()
                    ? PublishResult.accepted(accepted)
                    : new PublishResult(accepted, Outcome.THROTTLED, new IllegalStateException("server busy"));
        });
        relay.run();
        Hold held = holds.list().get(0);
        assertThat(broker.arrived()).contains("n100").doesNotContain("n399");

        holds.edit(
                held.key(),
                holds.messages(held.key(), 1).get(0).place(),
                content -> content.withBody(new byte[] {'x'}),
                BY_ANNA);
        holds.release(held.key(), BY_ANNA);
        for (int i = 0; i < 5; i++) {
            budget.set(150);
            relay.heartbeat().beat();
            outbox.clock.advanceMillis(60_000);
            relay.run();
        }
        budget.set(10_000);
        relay.heartbeat().beat();
        outbox.clock.advanceMillis(60_000);
        relay.run();
        relay.run();

        assertThat(broker.arrived()).contains("poison", "n399");
        assertThat(holds.list()).as("what waits for an operator again").isEmpty();
    }

    private String other(String... sessions) {
        var taken = new HashSet<Integer>();
        for (String session : sessions) {
            taken.add(bucket(session));
        }
        for (int i = 0; ; i++) {
            if (!taken.contains(bucket("x" + i))) {
                return "x" + i;
            }
        }
    }

    private int bucket(String session) {
        return outbox.dsl
                .fetchSingle("select " + outbox.schema.value() + ".outbox_bucket('" + session + "', 'm')")
                .get(0, Integer.class);
    }
}
