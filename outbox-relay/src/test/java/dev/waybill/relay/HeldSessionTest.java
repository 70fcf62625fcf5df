package dev.waybill.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldBusyException;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldState;
import dev.waybill.hold.Holds;
import dev.waybill.outbox.OutboxMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class HeldSessionTest {
    private static final AuditContext BY_ANNA = new AuditContext("anna", "the limit was raised");

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private Holds holds;
    private List<String> sessions = List.of();

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
        sessions = outbox.sessionsOfOneBucket(3);
        broker.refuse("poison");
    }

    @Test
    void a_poison_message_holds_its_own_session_while_two_hundred_others_go_on() {
        var expected = new ArrayList<String>();
        for (int round = 0; round < 3; round++) {
            for (int session = 0; session < 200; session++) {
                String id = "m" + session + "-" + round;
                outbox.append("s" + session, id);
                expected.add(id);
            }
            outbox.append("held", round == 0 ? "poison" : "after" + round);
        }
        var relay = outbox.relay(broker).started();

        drain(relay);

        assertThat(broker.arrived()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(heldIds("held")).containsExactly("poison", "after1", "after2");
        assertThat(holds.list()).singleElement().satisfies(hold -> {
            assertThat(hold.state()).isEqualTo(HoldState.PARKED);
            assertThat(hold.cause().description()).isEqualTo("too large");
        });
    }

    @Test
    void under_the_skipping_policy_the_session_goes_on_without_the_message() {
        outbox.policy = HoldPolicy.SKIP;
        outbox.append(sessions.get(0), "m1", "poison", "m2");
        var relay = outbox.relay(broker).started();

        drain(relay);
        outbox.append(sessions.get(0), "m3");
        drain(relay);

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3");
        assertThat(holds.list()).extracting(Hold::key).containsExactly(message(sessions.get(0), "poison"));
    }

    @Test
    void a_message_without_a_session_is_held_alone() {
        outbox.dsl.transaction(tx -> {
            for (String id : new String[] {"m1", "poison", "m2"}) {
                outbox.outbox.append(
                        tx.dsl(),
                        OutboxMessage.to(OutboxFixture.DESTINATION).id(id).build());
            }
        });

        drain(outbox.relay(broker).started());

        assertThat(broker.arrived()).containsExactlyInAnyOrder("m1", "m2");
        assertThat(holds.list()).extracting(Hold::key).containsExactly(message(null, "poison"));
    }

    @Test
    void a_released_session_arrives_in_commit_order_and_ahead_of_its_new_messages() {
        outbox.append(sessions.get(0), "m1", "poison", "m2");
        var relay = outbox.relay(broker).started();
        drain(relay);
        outbox.append(sessions.get(0), "m3");
        drain(relay);
        broker.takeEverything();

        holds.release(session(0), BY_ANNA);
        outbox.append(sessions.get(0), "m4");
        drain(relay);

        assertThat(broker.arrived()).containsExactly("m1", "poison", "m2", "m3", "m4");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void rows_read_ahead_before_the_hold_was_recorded_do_not_overtake_it() {
        outbox.append(sessions.get(0), "m1", "poison", "m2", "m3");
        outbox.append(sessions.get(1), "n1", "n2", "n3");
        outbox.append(sessions.get(0), "m4", "m5");

        drain(outbox.relay(broker, 2).started());

        assertThat(broker.arrived()).containsExactly("m1", "n1", "n2", "n3");
        assertThat(heldIds(sessions.get(0))).containsExactly("poison", "m2", "m3", "m4", "m5");
    }

    @Test
    void several_refused_messages_of_a_page_hold_exactly_their_sessions() {
        outbox.append(sessions.get(0), "poison", "m2");
        outbox.append(sessions.get(1), "n1", "poison2", "n2");
        outbox.append(sessions.get(2), "o1", "o2");
        broker.refuse("poison", "poison2");

        drain(outbox.relay(broker).started());

        assertThat(broker.arrived()).containsExactly("n1", "o1", "o2");
        assertThat(heldIds(sessions.get(0))).containsExactly("poison", "m2");
        assertThat(heldIds(sessions.get(1))).containsExactly("poison2", "n2");
    }

    @Test
    void a_refused_late_row_is_held_and_keeps_no_other_late_row_waiting() throws Exception {
        var relay = outbox.relay(broker, 2).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "poison", "m2");
        outbox.append(slow, sessions.get(1), "n1", "n2", "n3");
        outbox.append(sessions.get(2), "fast");
        drain(relay);
        outbox.commit(slow);
        outbox.append(sessions.get(0), "m3");

        drain(relay);
        broker.takeEverything();
        drain(relay);

        assertThat(broker.arrived()).containsExactly("fast", "n1", "n2", "n3");
        assertThat(heldIds(sessions.get(0))).containsExactly("poison", "m2", "m3");
    }

    @Test
    void a_hold_survives_a_failure_later_in_the_same_page() {
        outbox.append(sessions.get(0), "poison", "m2");
        outbox.append(sessions.get(1), "n1", "n2");
        var relay = outbox.relay(broker).started();
        broker.behave(shipment -> {
            PublishResult result = RecordingPublisher.refusing(shipment, Set.of("poison"));
            return result.outcome() == Outcome.MESSAGE_REFUSED
                    ? result
                    : PublishResult.failed(1, new IllegalStateException("link lost"));
        });

        relay.run();
        broker.refuse("poison");
        drain(relay);

        assertThat(broker.arrived()).containsExactly("n1", "n2");
        assertThat(heldIds(sessions.get(0))).containsExactly("poison", "m2");
    }

    @Test
    void a_skip_of_the_last_message_that_races_with_a_turn_leaves_nobody_behind() {
        outbox.append(sessions.get(0), "poison");
        var relay = outbox.relay(broker).started();
        drain(relay);
        outbox.append(sessions.get(0), "m2");
        outbox.append(sessions.get(1), "n1");
        var once = new AtomicBoolean();
        broker.behave(shipment -> {
            if (once.compareAndSet(false, true)) {
                holds.skip(session(0), firstPlace(session(0)), BY_ANNA);
                outbox.append(sessions.get(0), "m3");
            }
            return PublishResult.accepted(shipment.rows().size());
        });

        drain(relay);

        assertThat(broker.arrived()).containsExactly("n1", "m2", "m3");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_release_that_races_with_a_turn_lets_nothing_overtake() {
        outbox.append(sessions.get(0), "poison", "m2");
        var relay = outbox.relay(broker, 1).started();
        drain(relay);
        outbox.append(sessions.get(0), "m3");
        outbox.append(sessions.get(1), "n1");
        outbox.append(sessions.get(0), "m4");
        var once = new AtomicBoolean();
        broker.behave(shipment -> {
            if (once.compareAndSet(false, true)) {
                holds.release(session(0), BY_ANNA);
            }
            return PublishResult.accepted(shipment.rows().size());
        });

        drain(relay);

        assertThat(broker.arrived()).containsExactly("n1", "poison", "m2", "m3", "m4");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_message_refused_again_is_parked_again_with_everything_behind_it() {
        outbox.append(sessions.get(0), "poison", "m2", "poison2", "m3");
        var relay = outbox.relay(broker).started();
        drain(relay);
        broker.refuse("poison2");

        holds.release(session(0), BY_ANNA);
        drain(relay);

        assertThat(broker.arrived()).containsExactly("poison", "m2");
        assertThat(heldIds(sessions.get(0))).containsExactly("poison2", "m3");
        assertThat(holds.show(session(0)))
                .hasValueSatisfying(hold -> assertThat(hold.timesParked()).isEqualTo(2));
    }

    @Test
    void an_edited_message_is_sent_as_it_is_now_under_its_old_ids() {
        outbox.append(sessions.get(0), "poison", "m2");
        var relay = outbox.relay(broker).started();
        drain(relay);
        var bodies = new ArrayList<String>();
        broker.behave(shipment -> {
            shipment.rows().forEach(row -> bodies.add(new String(row.content().body(), UTF_8)));
            return PublishResult.accepted(shipment.rows().size());
        });

        holds.edit(session(0), firstPlace(session(0)), content -> content.withBody(new byte[] {'x'}), BY_ANNA);
        holds.release(session(0), BY_ANNA);
        drain(relay);

        assertThat(broker.arrived()).containsExactly("poison", "m2");
        assertThat(bodies).containsExactly("x", "m2");
    }

    @Test
    void the_relay_that_takes_over_keeps_a_session_held_and_publishes_it_when_released() {
        outbox.append(sessions.get(0), "m1", "poison");
        drain(outbox.relay(broker).started());
        outbox.expireLeases();
        outbox.append(sessions.get(0), "m2");
        var successor = outbox.relay(broker).started();
        drain(successor);
        assertThat(heldIds(sessions.get(0))).containsExactly("poison", "m2");
        broker.takeEverything();

        holds.release(session(0), BY_ANNA);
        drain(successor);

        assertThat(broker.arrived()).containsExactly("m1", "poison", "m2");
    }

    @Test
    void who_takes_over_during_an_attempt_waits_for_its_end_and_the_zombie_settles_nothing_after_it() {
        outbox.append(sessions.get(0), "poison", "m2");
        var zombie = outbox.relay(broker).started();
        drain(zombie);
        var successorsBroker = new RecordingPublisher();
        var successor = outbox.relay(successorsBroker);
        holds.release(session(0), BY_ANNA);
        broker.behave(shipment -> {
            outbox.expireLeases();
            outbox.append(sessions.get(0), "m3");
            drain(successor.started());
            assertThat(successorsBroker.arrived()).isEmpty();
            endTimeOfAttempts();
            drain(successor);
            return PublishResult.accepted(shipment.rows().size());
        });

        zombie.run();

        assertThat(successorsBroker.arrived()).containsExactly("poison", "m2", "m3");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void an_operator_cannot_skip_or_edit_what_a_relay_may_be_sending_and_can_once_its_time_is_up() {
        outbox.append(sessions.get(0), "poison", "m2");
        var zombie = outbox.relay(broker).started();
        drain(zombie);
        holds.release(session(0), BY_ANNA);
        var once = new AtomicBoolean();
        broker.behave(shipment -> {
            if (once.compareAndSet(false, true)) {
                long place = firstPlace(session(0));
                assertThatThrownBy(() -> holds.skip(session(0), place, BY_ANNA)).isInstanceOf(HoldBusyException.class);
                endTimeOfAttempts();
                holds.skip(session(0), place, BY_ANNA);
                return PublishResult.refused(0, new IllegalArgumentException("too large"));
            }
            return PublishResult.accepted(shipment.rows().size());
        });

        zombie.run();

        assertThat(heldIds(sessions.get(0))).containsExactly("m2");
        assertThat(holds.show(session(0)))
                .hasValueSatisfying(hold -> assertThat(hold.timesParked())
                        .as("a word of the zombie's is not heard")
                        .isEqualTo(1));
    }

    @Test
    void a_zombie_cannot_hold_what_its_successor_may_be_publishing() {
        outbox.append(sessions.get(0), "poison", "m2");
        var successor = outbox.relay(new RecordingPublisher());
        var zombie = outbox.relay(broker).started();
        broker.behave(shipment -> {
            outbox.expireLeases();
            successor.started();
            return RecordingPublisher.refusing(shipment, Set.of("poison"));
        });

        zombie.run();

        assertThat(holds.list()).isEmpty();
        assertThat(successor.run().published()).isEqualTo(2);
    }

    @Test
    void nothing_is_held_for_what_is_no_messages_fault() {
        for (Outcome outcome : new Outcome[] {Outcome.UNAVAILABLE, Outcome.THROTTLED, Outcome.DESTINATION_REFUSED}) {
            outbox.append(sessions.get(0), "of " + outcome);
            broker.behave(shipment -> new PublishResult(0, outcome, new IllegalStateException("no")));
            var relay = outbox.relay(broker).started();

            relay.run();

            assertThat(holds.list()).isEmpty();
            outbox.expireLeases();
        }
        broker.takeEverything();

        drain(outbox.relay(broker).started());

        assertThat(broker.arrived()).hasSize(3);
    }

    @Test
    void an_outage_during_a_release_blames_nobody_and_keeps_the_order() {
        outbox.append(sessions.get(0), "poison", "m2", "m3");
        var relay = outbox.relay(broker).started();
        drain(relay);
        holds.release(session(0), BY_ANNA);
        broker.behave(shipment -> PublishResult.failed(1, new IllegalStateException("link lost")));

        relay.run();
        assertThat(holds.show(session(0)))
                .hasValueSatisfying(hold -> assertThat(hold.state()).isEqualTo(HoldState.RETRYING));
        outbox.execute("update $schema.outbox_hold set due_at = clock_timestamp()");
        broker.takeEverything();
        drain(relay);

        assertThat(broker.arrived()).containsExactly("poison", "m2", "m3");
    }

    @Test
    void a_session_released_with_more_messages_than_a_page_holds_comes_whole_and_in_order() {
        String[] ids = IntStream.range(0, 25).mapToObj(i -> "m" + i).toArray(String[]::new);
        outbox.append(sessions.get(0), "poison");
        outbox.append(sessions.get(0), ids);
        var relay = outbox.relay(broker, 4).started();
        drain(relay);
        broker.takeEverything();
        holds.release(session(0), BY_ANNA);
        outbox.append(sessions.get(0), "last");

        drain(relay);

        assertThat(broker.arrived())
                .startsWith("poison", "m0")
                .endsWith("m24", "last")
                .hasSize(27);
        assertThat(broker.arrived().subList(1, 26)).containsExactly(ids);
    }

    @Test
    void somebody_who_keeps_a_holds_lock_delays_its_destination_and_not_the_heartbeat() throws Exception {
        outbox.append(sessions.get(0), "poison");
        var relay = outbox.relay(broker).started();
        drain(relay);
        outbox.append(sessions.get(0), "m2");
        try (var person = outbox.open()) {
            DSL.using(person).execute("select from " + outbox.schema.table("outbox_hold") + " for update");

            assertThatThrownBy(relay::run).hasStackTraceContaining("lock timeout");
            relay.heartbeat().beat();
            person.rollback();
        }
        drain(relay);

        assertThat(heldIds(sessions.get(0))).containsExactly("poison", "m2");
    }

    @Test
    void a_paused_destination_publishes_no_released_message_either(TestDatabase database) {
        outbox.append(sessions.get(0), "poison");
        var relay = outbox.relay(broker).started();
        drain(relay);
        broker.takeEverything();
        var destinations = Destinations.of(database.dataSource(), outbox.schema);
        destinations.pause(OutboxFixture.DESTINATION, "migration");
        holds.release(session(0), BY_ANNA);

        drain(relay);
        assertThat(broker.arrived()).isEmpty();
        destinations.resume(OutboxFixture.DESTINATION);
        drain(relay);

        assertThat(broker.arrived()).containsExactly("poison");
    }

    @Test
    void a_hold_that_is_due_later_waits() {
        outbox.append(sessions.get(0), "poison");
        var relay = outbox.relay(broker).started();
        drain(relay);
        broker.takeEverything();

        holds.retry(session(0), Duration.ofHours(1), BY_ANNA);
        drain(relay);

        assertThat(broker.arrived()).isEmpty();
    }

    @Test
    void a_held_session_keeps_no_partition_of_the_ring_from_being_emptied() {
        outbox.append(sessions.get(0), "poison", "m2");
        var relay = outbox.relay(broker).started();
        drain(relay);
        for (int i = 0; i < 3; i++) {
            outbox.enterNextPartition();
            outbox.append(sessions.get(1), "n" + i);
            drain(relay);
        }
        Ring.ofMessages(outbox.schema.in(outbox.dsl), outbox.schema).turn();
        broker.takeEverything();

        holds.release(session(0), BY_ANNA);
        drain(relay);

        assertThat(outbox.rowsIn("outbox_message_0")).isZero();
        assertThat(broker.arrived()).endsWith("poison", "m2");
    }

    @Test
    void a_held_row_is_visible_as_held_until_it_is_published() {
        outbox.append(sessions.get(0), "m1", "poison", "m2");
        var relay = outbox.relay(broker).started();
        drain(relay);
        assertThat(statuses()).containsExactly("published", "held", "held");
        broker.takeEverything();

        holds.release(session(0), BY_ANNA);
        drain(relay);

        assertThat(statuses()).containsExactly("published", "published", "published");
    }

    private static void drain(OutboxFixture.RelayUnderTest relay) {
        while (relay.run().moved()) {}
    }

    private HoldKey session(int index) {
        return HoldKey.session(HoldSide.OUTBOX, OutboxFixture.DESTINATION, sessions.get(index));
    }

    private static HoldKey message(@Nullable String session, String id) {
        return HoldKey.message(HoldSide.OUTBOX, OutboxFixture.DESTINATION, session, id);
    }

    private long firstPlace(HoldKey key) {
        return holds.messages(key, 1).get(0).place();
    }

    private List<String> heldIds(String session) {
        return holds.messages(HoldKey.session(HoldSide.OUTBOX, OutboxFixture.DESTINATION, session), 100).stream()
                .map(message -> message.content().messageId())
                .toList();
    }

    private void endTimeOfAttempts() {
        outbox.execute("update $schema.outbox_hold set attempt_until = clock_timestamp()");
    }

    private List<String> statuses() {
        return outbox.dsl
                .fetch("select status from " + outbox.schema.table("outbox_message_status") + " order by seq")
                .getValues("status", String.class);
    }
}
