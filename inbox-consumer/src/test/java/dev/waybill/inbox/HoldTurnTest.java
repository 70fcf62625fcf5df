package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldState;
import dev.waybill.hold.HoldTable;
import dev.waybill.hold.Holds;
import dev.waybill.message.MessageContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class HoldTurnTest {
    private static final AuditContext WORD = new AuditContext("test", "fixed");
    private static final HoldKey SESSION = HoldKey.session(HoldSide.INBOX, "test", "s");
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));

    private final Set<String> poison = new HashSet<>();
    InboxFixture inbox;
    private Holds holds;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
        holds = InboxHolds.in(database.dataSource(), inbox.schema);
    }

    @Test
    void a_failed_message_heads_its_sessions_hold_and_all_later_ones_join_it_in_order() {
        poison.add("m2");
        var receiver = session("m1", "m2", "m3", "m4");

        turn(receiver).run();

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m3", "complete m4", "close");
        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.recorded()).containsExactly("m1");
        assertThat(held()).containsExactly("m2", "m3", "m4");
        var hold = holds.show(SESSION).orElseThrow();
        assertThat(hold.state()).isEqualTo(HoldState.PARKED);
        assertThat(hold.cause().reason()).isEqualTo("java.io.IOException");
        assertThat(hold.cause().description()).contains("poison");
    }

    @Test
    void released_messages_are_handled_in_order_before_the_sessions_next_one() {
        poison.add("m1");
        turn(session("m1", "m2", "m3")).run();
        poison.clear();

        holds.release(SESSION, WORD);
        var joins = session("m4");
        turn(joins).run();
        assertThat(inbox.effects()).isEmpty();
        turn(session()).runHolds();
        turn(session("m5")).run();

        assertThat(joins.log()).containsExactly("complete m4", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3", "m4", "m5");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_released_message_that_fails_again_parks_its_session_again() {
        poison.add("m1");
        turn(session("m1", "m2")).run();

        holds.release(SESSION, WORD);
        turn(session()).runHolds();

        assertThat(holds.show(SESSION).orElseThrow().state()).isEqualTo(HoldState.PARKED);
        assertThat(holds.show(SESSION).orElseThrow().timesParked()).isEqualTo(2);
        assertThat(held()).containsExactly("m1", "m2");
        assertThat(inbox.effects()).isEmpty();
    }

    @Test
    void a_skipped_message_is_recorded_so_that_its_redelivery_has_no_effect() {
        poison.add("m1");
        turn(session("m1", "m2")).run();

        holds.skip(SESSION, holds.messages(SESSION, 1).get(0).place(), WORD);
        holds.release(SESSION, WORD);
        turn(session()).runHolds();
        poison.clear();
        turn(session("m1")).run();

        assertThat(inbox.effects()).containsExactly("m2");
    }

    @Test
    void a_dead_letter_that_is_skipped_in_its_hold_has_its_effect_when_it_is_redriven_again() {
        redriven("m1", "old");
        holds.skip(SESSION, holds.messages(SESSION, 1).get(0).place(), WORD);
        redriven("m1", "mended");

        turn(session()).runHolds();

        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_message_with_a_blank_for_an_id_can_be_skipped() {
        poison.add(" ");
        turn(ScriptedReceiver.ofSession(new FakeMessage(" ", 1, 1))).run();

        holds.skip(SESSION, holds.messages(SESSION, 1).get(0).place(), WORD);

        assertThat(inbox.recorded()).containsExactly(" ");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_dead_letter_that_is_set_aside_out_of_its_sessions_hold_is_still_known_as_one() {
        redriven("m1", "old");
        poison.add("m1");

        inbox.turn(session(), this::handle, settings -> settings.retries = BRIEFLY)
                .runHolds();

        var alone = HoldKey.message(HoldSide.INBOX, "test", "s", "m1");
        assertThat(holds.messages(alone, 1).get(0).deadLetter()).isEqualTo(7);
    }

    private void redriven(String id, String body) {
        inbox.dsl.transaction(tx -> {
            var table = HoldTable.in(inbox.schema, HoldSide.INBOX);
            table.bring(
                    tx.dsl(),
                    table.join(tx.dsl(), SESSION),
                    7,
                    new HeldMessage.Origin(1, Instant.EPOCH, 1),
                    MessageContent.of(id, "s", body.getBytes(StandardCharsets.UTF_8)));
        });
    }

    @Test
    void a_message_whose_completion_was_lost_after_it_was_held_is_held_once() {
        poison.add("m1");
        var lost = session("m1");
        lost.onSettle(() -> {
            throw new LockLostException("the reply was lost", null);
        });
        turn(lost).run();
        poison.clear();

        var again = session("m1", "m2");
        turn(again).run();

        assertThat(again.log()).containsExactly("complete m1", "complete m2", "close");
        assertThat(held()).containsExactly("m1", "m2");
        assertThat(inbox.effects()).isEmpty();
    }

    @Test
    void a_message_that_somebody_else_has_done_is_not_held() {
        var receiver = session("m1");
        turn(receiver, (tx, message) -> {
                    inbox.dsl.execute("select 1");
                    return Verdict.retry(Duration.ofDays(1));
                })
                .run();
        holds.release(SESSION, WORD);
        inbox.dsl.transaction(tx -> Inbox.in(inbox.schema).firstTime(tx.dsl(), "test", "m1"));

        turn(session()).runHolds();

        assertThat(inbox.effects()).isEmpty();
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_retry_that_is_far_off_becomes_a_hold_with_a_due_time_under_either_policy() {
        var receiver = session("m1", "m2");
        inbox.turn(receiver, (tx, message) -> Verdict.retry(Duration.ofHours(1)))
                .run();

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "close");
        var hold = holds.show(SESSION).orElseThrow();
        assertThat(hold.state()).isEqualTo(HoldState.RETRYING);
        assertThat(Duration.between(hold.heldAt(), hold.dueAt()))
                .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        turn(session()).runHolds();
        assertThat(inbox.effects()).isEmpty();

        makeDue();
        turn(session()).runHolds();

        assertThat(inbox.effects()).containsExactly("m1", "m2");
    }

    @Test
    void where_failures_are_dead_letters_a_postponed_message_that_fails_is_parked_alone_and_its_session_goes_on() {
        inbox.turn(session("m1", "m2"), (tx, message) -> Verdict.retry(Duration.ofHours(1)))
                .run();
        poison.add("m1");
        makeDue();

        inbox.turn(session(), this::handle, settings -> settings.retries = BRIEFLY)
                .runHolds();

        assertThat(inbox.effects()).containsExactly("m2");
        var alone = HoldKey.message(HoldSide.INBOX, "test", "s", "m1");
        assertThat(holds.show(alone).orElseThrow().state()).isEqualTo(HoldState.PARKED);
        assertThat(holds.show(SESSION)).isEmpty();
        poison.clear();
        holds.release(alone, WORD);
        turn(session()).runHolds();
        assertThat(inbox.effects()).containsExactly("m2", "m1");
    }

    @Test
    void two_processes_that_find_the_same_hold_due_handle_it_once() {
        poison.add("m1");
        turn(session("m1")).run();
        poison.clear();
        holds.release(SESSION, WORD);
        var second = turn(session());

        turn(session(), (tx, message) -> {
                    second.runHolds();
                    return inbox.effect(tx, message);
                })
                .runHolds();

        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_held_message_that_fails_is_tried_for_its_time_in_place_and_no_other_hold_waits_for_that() {
        holdDue("sick");
        holdDue("well");
        var handled = new ArrayList<String>();
        var turn = inbox.turn(
                session(),
                (tx, message) -> {
                    handled.add(message.id());
                    if (message.id().equals("sick")) {
                        throw new IOException("poison");
                    }
                    return inbox.effect(tx, message);
                },
                settings -> {
                    settings.onFailure = OnFailure.HOLD_SESSION;
                    settings.retries =
                            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(2));
                });

        turn.runHolds();

        assertThat(handled.indexOf("well")).isBetween(1, 40);
        await().untilAsserted(() -> {
            turn.runHolds();
            assertThat(holds.list()).singleElement().satisfies(hold -> {
                assertThat(hold.state()).isEqualTo(HoldState.PARKED);
                assertThat(hold.cause().reason()).isEqualTo("java.io.IOException");
                assertThat(hold.attempts()).isEqualTo(8);
            });
        });
    }

    private void holdDue(String id) {
        inbox.dsl.transaction(tx -> {
            var table = HoldTable.in(inbox.schema, HoldSide.INBOX);
            long hold = table.join(tx.dsl(), HoldKey.session(HoldSide.INBOX, "test", id));
            var origin = new HeldMessage.Origin(1, Instant.EPOCH, 1);
            table.add(tx.dsl(), hold, origin, MessageContent.of(id, id, new byte[0]));
        });
    }

    @Test
    void a_held_message_that_cannot_be_read_is_parked() {
        holdDue("odd");
        inbox.dsl.execute("update " + inbox.schema.table("inbox_held_message") + " set headers = 'no JSON'");

        turn(session()).runHolds();

        assertThat(holds.list().get(0).state()).isEqualTo(HoldState.PARKED);
        assertThat(inbox.effects()).isEmpty();
    }

    @Test
    void who_has_outlived_his_attempt_at_a_hold_commits_nothing() {
        poison.add("m1");
        turn(session("m1")).run();
        poison.clear();
        holds.release(SESSION, WORD);

        var handled = new AtomicInteger();
        turn(session(), (tx, message) -> {
                    if (handled.incrementAndGet() == 1) {
                        inbox.dsl.execute("update " + inbox.schema.table("inbox_hold")
                                + " set attempt_token = gen_random_uuid(), attempt_until = now()");
                    }
                    return inbox.effect(tx, message);
                })
                .runHolds();

        assertThat(handled).hasValue(2);

        assertThat(inbox.recorded()).containsExactly("m1");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_message_that_no_row_can_take_is_dead_lettered_instead_of_held() {
        var receiver = ScriptedReceiver.ofSession(new FakeMessage("odd", 1, 1, Map.of("list", List.of(1))));

        turn(receiver, (tx, message) -> Verdict.deadLetter("No", "no")).run();

        assertThat(receiver.log()).containsExactly("dead-letter odd No", "close");
        assertThat(holds.list()).isEmpty();
        assertThat(inbox.recorded()).isEmpty();
    }

    @Test
    void a_held_message_keeps_its_properties() {
        poison.add("m1");
        turn(session("m1")).run();
        poison.clear();
        holds.release(SESSION, WORD);

        turn(session(), (tx, message) -> {
                    assertThat(message.session()).contains("s");
                    assertThat(message.text()).isEqualTo("m1");
                    assertThat(message.sequenceNumber()).isEqualTo(1);
                    assertThat(message.headers()).isEmpty();
                    return inbox.effect(tx, message);
                })
                .runHolds();

        assertThat(inbox.effects()).containsExactly("m1");
    }

    private void makeDue() {
        inbox.dsl.execute("update " + inbox.schema.table("inbox_hold") + " set due_at = now()");
    }

    private Verdict handle(DSLContext tx, InboundMessage message) throws IOException {
        if (poison.contains(message.id())) {
            throw new IOException("poison");
        }
        return inbox.effect(tx, message);
    }

    private InboxFixture.Turn turn(Receiver receiver) {
        return turn(receiver, this::handle);
    }

    private InboxFixture.Turn turn(Receiver receiver, Handler handler) {
        return inbox.turn(receiver, handler, HoldTurnTest::holdSessions);
    }

    private static void holdSessions(ConsumerOptions settings) {
        settings.onFailure = OnFailure.HOLD_SESSION;
        settings.retries = BRIEFLY;
    }

    private static ScriptedReceiver session(String... ids) {
        return ScriptedReceiver.ofSession(List.of(ids).stream()
                .map(id -> new FakeMessage(id, 1, Long.parseLong(id.substring(1))))
                .toArray(InboundMessage[]::new));
    }

    private List<String> held() {
        return inbox.dsl
                .fetch("select message_id from " + inbox.schema.table("inbox_held_message") + " order by place")
                .getValues(0, String.class);
    }
}
