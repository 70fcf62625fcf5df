package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages of a session that were deferred and are wanted back, and what may overtake them. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ResumeOrderTest {
    private static final RetryPolicy NOT_IN_PLACE =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO);

    private final AtomicBoolean failing = new AtomicBoolean();
    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_message_that_is_resumed_later_does_not_overtake_one_that_was_resumed_and_put_off() throws Exception {
        deferred(1, 2, 3);
        resume(1);
        failing.set(true);
        fetch(1, 2, 3);
        failing.set(false);

        resume(3);
        fetch(1, 2, 3);

        assertThat(inbox.effects()).containsExactly("m1", "m3");
    }

    @Test
    void what_fails_again_keeps_back_what_was_resumed_behind_it() throws Exception {
        deferred(1, 3);
        resume(1);
        failing.set(true);
        fetch(1, 3);

        resume(3);
        fetch(1, 3);
        fetch(1, 3);

        assertThat(inbox.effects()).isEmpty();
        assertThat(tries(1)).as("once by itself, once for the one behind it").isEqualTo(2);
    }

    @Test
    void the_owner_of_the_session_keeps_that_order_too() throws Exception {
        deferred(1, 3);
        resume(1);
        failing.set(true);
        fetch(1, 3);
        failing.set(false);
        resume(3);

        inbox.turn(
                        ScriptedReceiver.ofSession(message(4)).deferring(message(1), message(3)),
                        inbox::effect,
                        settings -> settings.retries = NOT_IN_PLACE)
                .run();

        assertThat(inbox.effects()).containsExactly("m4", "m1", "m3");
    }

    @Test
    void what_the_broker_does_not_find_keeps_nobody_waiting() throws Exception {
        deferred(1, 3);
        resume(1);
        fetch(3);
        assertThat(tries(1)).isEqualTo(1);

        resume(3);
        fetch(3);

        assertThat(inbox.effects()).containsExactly("m3");
    }

    @Test
    @Tag("long")
    void more_messages_that_the_broker_does_not_find_than_are_looked_for_at_once_keep_nobody_waiting()
            throws Exception {
        deferred(IntStream.rangeClosed(1, 250).toArray());
        for (int number = 1; number <= 250; number++) {
            resume(number);
        }
        fetch();

        resume(250);
        fetch(250);

        assertThat(inbox.effects()).containsExactly("m250");
    }

    @Test
    void a_failure_of_a_resumed_message_and_one_that_arrives_do_not_end_each_others_count() throws Exception {
        deferred(1);
        resume(1);
        failing.set(true);
        List<String> ends = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            inbox.dsl.execute("update " + inbox.schema.table("inbox_deferral") + " set resume_at = now()");
            ends.addAll(fetch(1).log());
            ends.addAll(arrive(2).log());
        }

        ends.removeIf("close"::equals);
        assertThat(ends)
                .containsExactly("dead-letter m1 java.sql.SQLException", "dead-letter m2 java.sql.SQLException");
    }

    @Test
    void the_dead_letter_of_one_copy_leaves_the_deferral_of_another_as_it_is() throws Exception {
        deferred(1);

        inbox.turn(
                        ScriptedReceiver.ofSession(new FakeMessage("m1", 1, 7)),
                        (tx, message) -> Verdict.deadLetter("Bad", "bad"))
                .run();

        resume(1);
        fetch(1);
        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.count("inbox_deferral")).isZero();
    }

    @Test
    void a_copy_that_lies_deferred_when_another_one_is_done_is_taken_off_the_broker() throws Exception {
        deferred(1);
        inbox.turn(ScriptedReceiver.ofSession(new FakeMessage("m1", 1, 7)), inbox::effect)
                .run();

        var receiver = fetch(1);

        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.count("inbox_deferral")).isZero();
    }

    @Test
    void a_message_that_has_the_number_in_another_entity_waits_on_for_its_own_key() throws Exception {
        deferred(1);
        resume(1);
        var receiver = ScriptedReceiver.ofSession().deferring(new FakeMessage("other", 1, 1));
        var turn = inbox.turn(receiver, this::handle, ResumeOrderTest::briefly);

        turn.parts().resumes().run(turn.work(), () -> {});

        assertThat(receiver.log()).containsExactly("defer other", "close");
        assertThat(inbox.effects()).isEmpty();
        assertThat(tries(1)).isEqualTo(1);
    }

    private void deferred(int... numbers) {
        for (int number : numbers) {
            inbox.turn(ScriptedReceiver.ofSession(message(number)), (tx, message) -> Verdict.defer(message.id()))
                    .run();
        }
    }

    private void resume(int number) {
        inbox.dsl.transaction(tx -> Deferrals.in(inbox.schema).resume(tx.dsl(), "test", "m" + number));
    }

    private Verdict handle(DSLContext tx, InboundMessage message) throws SQLException {
        if (failing.get()) {
            throw new SQLException("not now", "40001");
        }
        return inbox.effect(tx, message);
    }

    /** One look for what is wanted; these are still on the broker. */
    private ScriptedReceiver fetch(int... numbers) throws Exception {
        var receiver = ScriptedReceiver.ofSession()
                .deferring(
                        IntStream.of(numbers).mapToObj(ResumeOrderTest::message).toArray(InboundMessage[]::new));
        var turn = inbox.turn(receiver, this::handle, ResumeOrderTest::briefly);
        turn.parts().resumes().run(turn.work(), () -> {});
        return receiver;
    }

    private ScriptedReceiver arrive(int number) {
        var receiver = ScriptedReceiver.ofSession(message(number));
        inbox.turn(receiver, this::handle, ResumeOrderTest::briefly).run();
        return receiver;
    }

    private static void briefly(ConsumerOptions settings) {
        settings.retries = NOT_IN_PLACE;
        settings.deliveries = new DeliveryPolicy(5, 3, 3);
    }

    private int tries(int number) {
        return inbox.dsl
                .fetchSingle("select tries from " + inbox.schema.table("inbox_deferral") + " where message_id = 'm"
                        + number + "'")
                .get(0, Integer.class);
    }

    private static FakeMessage message(int number) {
        return new FakeMessage("m" + number, 1, number);
    }
}
