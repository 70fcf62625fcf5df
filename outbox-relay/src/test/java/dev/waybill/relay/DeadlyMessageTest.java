package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message that ends the process that sends it, as a crash inside the send. */
@ExtendWith(PostgresExtension.class)
class DeadlyMessageTest {
    private static final int ROWS_AT_ONCE = 10;

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private Holds holds;
    private List<String> sessions = List.of();

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
        sessions = outbox.sessionsOfOneBucket(2);
        broker.behave(shipment -> {
            if (shipment.rows().stream().anyMatch(row -> row.messageId().startsWith("deadly"))) {
                throw new Death();
            }
            return PublishResult.accepted(shipment.rows().size());
        });
    }

    @Test
    void a_message_that_ends_every_process_is_found_and_holds_its_session_alone() {
        String[] others = IntStream.range(0, 15).mapToObj(i -> "n" + i).toArray(String[]::new);
        outbox.append(sessions.get(0), "m1", "deadly", "m2");
        outbox.append(sessions.get(1), others);

        int deaths = runRelaysUntilOneLives();

        assertThat(deaths).isEqualTo(CrashSuspect.GRAVE + CrashSuspect.ENOUGH_ACCUSATIONS);
        assertThat(broker.arrived().stream().distinct()).containsExactly(all("m1", others));
        assertThat(heldIds()).containsExactly("deadly", "m2");
        assertThat(holds.list()).extracting(hold -> hold.cause().reason()).containsExactly("DeadlyMessageException");
    }

    @Test
    void two_deadly_messages_of_one_page_are_both_found() {
        outbox.append(sessions.get(0), "m1", "deadly1", "m2");
        outbox.append(sessions.get(1), "n1", "deadly2", "n2");

        int deaths = runRelaysUntilOneLives();

        assertThat(deaths).isEqualTo(CrashSuspect.GRAVE + 2 * CrashSuspect.ENOUGH_ACCUSATIONS);
        assertThat(broker.arrived().stream().distinct()).containsExactly("m1", "n1");
        assertThat(heldIds()).containsExactly("deadly1", "m2", "deadly2", "n2");
    }

    @Test
    void a_deadly_message_pages_behind_the_recorded_position_is_found_too() {
        String[] others = IntStream.range(0, 40).mapToObj(i -> "n" + i).toArray(String[]::new);
        outbox.append(sessions.get(1), others);
        outbox.append(sessions.get(0), "deadly");
        outbox.append(sessions.get(1), "last");

        int deaths = runRelaysUntilOneLives();

        assertThat(deaths).isLessThanOrEqualTo(2 * (CrashSuspect.GRAVE + CrashSuspect.ENOUGH_ACCUSATIONS));
        assertThat(broker.arrived()).contains("last");
        assertThat(heldIds()).containsExactly("deadly");
    }

    @Test
    void deadly_late_arrivals_are_found_and_keep_no_other_one_back() throws Exception {
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "deadly", "m2", "deadly2");
        outbox.append(slow, sessions.get(1), "n1", "deadly3");
        outbox.append(outbox.sessionsOfOneBucket(3).get(2), "fast");
        outbox.relay(broker, ROWS_AT_ONCE).started().run();
        outbox.commit(slow);

        runRelaysUntilOneLives();

        assertThat(broker.arrived()).contains("n1");
        assertThat(heldIds()).containsExactly("deadly", "m2", "deadly2", "deadly3");
    }

    @Test
    void a_released_deadly_message_is_parked_again_and_the_others_go_on() {
        outbox.append(sessions.get(0), "deadly");
        runRelaysUntilOneLives();
        holds.release(holds.list().get(0).key(), new AuditContext("anna", "again"));
        outbox.append(sessions.get(1), "n1", "n2");

        runRelaysUntilOneLives();

        assertThat(broker.arrived()).contains("n1", "n2");
        assertThat(holds.list())
                .singleElement()
                .extracting(hold -> hold.cause().reason())
                .isEqualTo("AttemptsEndedSilently");
    }

    @Test
    void deaths_at_different_positions_make_nothing_suspicious() {
        for (int i = 0; i < 6; i++) {
            outbox.append(sessions.get(0), "m" + i);
            var relay = outbox.relay(broker, ROWS_AT_ONCE).started();
            relay.run();
            outbox.expireLeases();
        }

        assertThat(outbox.rowsIn("outbox_suspicion where takeovers > 1")).isZero();
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_relay_that_forgets_what_it_knew_and_lives_makes_nothing_suspicious() {
        outbox.append(sessions.get(0), "m1", "deadly", "m2");
        dieOnce();
        outbox.expireLeases();
        var living = outbox.relay(broker, ROWS_AT_ONCE).started();
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(living::run).isInstanceOf(Death.class);
        }

        assertThat(outbox.rowsIn("outbox_suspicion where takeovers > 1")).isZero();
    }

    @Test
    void a_death_by_chance_during_a_single_send_holds_nobody() {
        outbox.append(sessions.get(0), "m1", "deadly", "m2");
        for (int i = 0; i < CrashSuspect.GRAVE; i++) {
            dieOnce();
        }
        broker.behave(shipment -> {
            if ("m1".equals(shipment.rows().get(0).messageId())) {
                throw new Death();
            }
            return PublishResult.accepted(shipment.rows().size());
        });
        dieOnce();
        broker.takeEverything();

        runRelaysUntilOneLives();

        assertThat(holds.list()).isEmpty();
        assertThat(broker.arrived()).containsExactly("m1", "deadly", "m2");
    }

    @Test
    void leases_that_are_given_back_and_idle_lanes_make_nothing_suspicious() {
        outbox.append(sessions.get(0), "m1");
        var first = outbox.relay(broker, ROWS_AT_ONCE).started();
        first.run();
        first.turn().leave(Duration.ofSeconds(1));
        for (int i = 0; i < 4; i++) {
            outbox.relay(broker, ROWS_AT_ONCE).started().run();
            outbox.expireLeases();
        }

        assertThat(outbox.rowsIn("outbox_suspicion")).isZero();
    }

    @Test
    void a_lane_whose_cautious_sends_fate_is_unknown_is_released_only_for_after_the_longest_send() {
        outbox.append(sessions.get(0), "deadly");
        for (int i = 0; i < CrashSuspect.GRAVE; i++) {
            dieOnce();
        }
        broker.behave(shipment -> PublishResult.failed(0, new IllegalStateException("link lost")));
        outbox.expireLeases();
        var relay = outbox.relay(broker, ROWS_AT_ONCE).started();
        relay.turn().step(true);

        relay.turn().leave(Duration.ofSeconds(1));

        assertThat(broker.arrived()).isEmpty();
        assertThat(outbox.dsl.fetchCount(
                        DSL.table(outbox.schema.table("outbox_lane")),
                        DSL.condition("owner is null and available_at > clock_timestamp()")))
                .isEqualTo(1);
    }

    @Test
    void a_late_row_that_is_refused_before_another_one_fails_is_held_at_once_and_not_sent_again() throws Exception {
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "bad");
        outbox.append(slow, sessions.get(1), "n1");
        outbox.append(outbox.sessionsOfOneBucket(3).get(2), "fast");
        outbox.relay(broker, ROWS_AT_ONCE).started().run();
        outbox.commit(slow);
        broker.behave(shipment -> {
            throw new Death();
        });
        for (int i = 0; i < CrashSuspect.GRAVE; i++) {
            dieOnce();
        }
        broker.behave(shipment -> "bad".equals(shipment.rows().get(0).messageId())
                ? PublishResult.refused(0, new IllegalArgumentException("too large"))
                : PublishResult.failed(0, new IllegalStateException("link lost")));
        outbox.expireLeases();
        var relay = outbox.relay(broker, ROWS_AT_ONCE).started();
        relay.turn().step(true);
        broker.takeEverything();

        while (relay.run().moved()) {}

        assertThat(heldIds()).containsExactly("bad");
        assertThat(broker.arrived()).containsExactly("fast", "n1");
    }

    private int runRelaysUntilOneLives() {
        for (int deaths = 0; deaths < 30; deaths++) {
            outbox.expireLeases();
            outbox.execute(
                    "update $schema.outbox_hold set attempt_until = clock_timestamp() where attempt_until is not null");
            try {
                var relay = outbox.relay(broker, ROWS_AT_ONCE).started();
                while (relay.run().moved()) {}
                return deaths;
            } catch (Death | CompletionException death) {
                assertThat(death)
                        .satisfiesAnyOf(
                                e -> assertThat(e).isInstanceOf(Death.class),
                                e -> assertThat(e).hasCauseInstanceOf(Death.class));
            }
        }
        throw new AssertionError("Every relay died");
    }

    private void dieOnce() {
        outbox.expireLeases();
        assertThatThrownBy(() -> outbox.relay(broker, ROWS_AT_ONCE).started().run())
                .satisfiesAnyOf(
                        e -> assertThat(e).isInstanceOf(Death.class),
                        e -> assertThat(e).hasCauseInstanceOf(Death.class));
    }

    private static String[] all(String first, String... others) {
        var all = new ArrayList<String>(List.of(first));
        all.addAll(List.of(others));
        return all.toArray(String[]::new);
    }

    private List<String> heldIds() {
        return holds.list().stream()
                .map(Hold::key)
                .flatMap(key -> holds.messages(key, 100).stream())
                .map(message -> message.content().messageId())
                .toList();
    }

    private static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
