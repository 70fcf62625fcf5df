package dev.waybill.hold;

import static dev.waybill.hold.HoldFixture.BY_ANNA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class AttemptsTest {
    private static final Cause AGAIN = new Cause("Refused", "again");

    private HoldFixture fixture;
    private HoldKey key;

    @BeforeEach
    void park_a_session(TestDatabase database) {
        fixture = new HoldFixture(database);
        key = fixture.parked("s", "m1", "m2", "m3");
    }

    @Test
    void what_is_parked_is_tried_only_after_a_release_and_then_in_order() {
        assertThat(fixture.begin()).isEmpty();

        fixture.holds.release(key, BY_ANNA);

        List<Attempt> attempts = fixture.begin();
        assertThat(attempts).hasSize(1);
        assertThat(HoldFixture.ids(attempts.get(0).messages())).containsExactly("m1", "m2", "m3");
    }

    @Test
    void what_is_not_due_is_not_tried() {
        fixture.holds.retry(key, Duration.ofHours(1), BY_ANNA);

        assertThat(fixture.begin()).isEmpty();
    }

    @Test
    void nobody_begins_while_an_attempt_runs() {
        fixture.holds.release(key, BY_ANNA);
        fixture.begin();

        assertThat(fixture.begin()).isEmpty();
    }

    @Test
    void a_hold_of_which_nothing_is_left_ends() {
        Attempt attempt = released();

        assertThat(fixture.attempts.settle(
                        fixture.dsl, attempt, attempt.messages(), AttemptResult.interrupted(Duration.ZERO)))
                .isTrue();

        assertThat(fixture.holds.show(key)).isEmpty();
    }

    @Test
    void what_joined_during_the_attempt_is_due_next() {
        Attempt attempt = released();
        fixture.dsl.transaction(tx -> fixture.join(tx.dsl(), key, "m4"));

        fixture.attempts.settle(fixture.dsl, attempt, attempt.messages(), AttemptResult.interrupted(Duration.ZERO));

        assertThat(HoldFixture.ids(fixture.begin().get(0).messages())).containsExactly("m4");
    }

    @Test
    void a_message_that_fails_again_is_parked_with_what_came_after_it() {
        Attempt attempt = released();

        fixture.attempts.settle(fixture.dsl, attempt, attempt.messages().subList(0, 1), AttemptResult.parked(AGAIN));

        assertThat(fixture.ids(key)).containsExactly("m2", "m3");
        assertThat(fixture.holds.show(key)).hasValueSatisfying(hold -> {
            assertThat(hold.state()).isEqualTo(HoldState.PARKED);
            assertThat(hold.cause()).isEqualTo(AGAIN);
            assertThat(hold.attempts()).isEqualTo(1);
            assertThat(hold.timesParked()).isEqualTo(2);
            assertThat(hold.attemptRunning()).isFalse();
        });
    }

    @Test
    void an_outage_counts_as_no_attempt() {
        for (int i = 0; i < 5; i++) {
            Attempt attempt = i == 0 ? released() : fixture.begin().get(0);
            fixture.attempts.settle(fixture.dsl, attempt, List.of(), AttemptResult.interrupted(Duration.ZERO));
        }

        assertThat(fixture.holds.show(key)).hasValueSatisfying(hold -> {
            assertThat(hold.attempts()).isZero();
            assertThat(hold.state()).isEqualTo(HoldState.RETRYING);
        });
    }

    @Test
    void skip_and_edit_are_refused_while_an_attempt_runs_and_taken_when_its_time_is_up() {
        Attempt attempt = released();
        long place = attempt.messages().get(0).place();

        assertThatThrownBy(() -> fixture.holds.skip(key, place, BY_ANNA)).isInstanceOf(HoldBusyException.class);
        assertThatThrownBy(() -> fixture.holds.edit(key, place, content -> content, BY_ANNA))
                .isInstanceOf(HoldBusyException.class);
        fixture.endTimeOfAttempts();
        fixture.holds.skip(key, place, BY_ANNA);

        assertThat(fixture.ids(key)).containsExactly("m2", "m3");
    }

    @Test
    void who_comes_back_after_another_has_begun_can_neither_take_out_nor_settle() {
        Attempt zombie = released();
        fixture.endTimeOfAttempts();
        Attempt successor = fixture.begin().get(0);

        assertThat(fixture.attempts.settle(fixture.dsl, zombie, zombie.messages(), AttemptResult.parked(AGAIN)))
                .isFalse();
        boolean taken = fixture.dsl.transactionResult(
                tx -> fixture.attempts.done(tx.dsl(), zombie, zombie.messages().get(0)));

        assertThat(taken).isFalse();
        assertThat(fixture.ids(key)).containsExactly("m1", "m2", "m3");
        assertThat(fixture.attempts.settle(
                        fixture.dsl, successor, successor.messages(), AttemptResult.interrupted(Duration.ZERO)))
                .isTrue();
    }

    @Test
    void one_message_after_the_other_is_taken_out_and_the_rest_waits() {
        Attempt attempt = released();

        fixture.dsl.transaction(tx -> assertThat(fixture.attempts.done(
                        tx.dsl(), attempt, attempt.messages().get(0)))
                .isTrue());
        fixture.attempts.settle(fixture.dsl, attempt, List.of(), AttemptResult.later(AGAIN, Duration.ofHours(1)));

        assertThat(fixture.ids(key)).containsExactly("m2", "m3");
        assertThat(fixture.begin()).isEmpty();
    }

    @Test
    void a_message_whose_attempts_end_without_a_word_is_parked_at_the_fourth() {
        fixture.holds.release(key, BY_ANNA);
        for (int i = 0; i < 3; i++) {
            assertThat(fixture.begin()).hasSize(1);
            fixture.endTimeOfAttempts();
        }

        assertThat(fixture.begin()).isEmpty();

        assertThat(fixture.holds.show(key)).hasValueSatisfying(hold -> {
            assertThat(hold.state()).isEqualTo(HoldState.PARKED);
            assertThat(hold.cause().reason()).isEqualTo("AttemptsEndedSilently");
        });
    }

    @Test
    void who_is_interrupted_after_a_failure_has_still_tried_once() {
        fixture.attempts.settle(fixture.dsl, released(), List.of(), AttemptResult.later(AGAIN, Duration.ZERO));
        Attempt second = fixture.begin().get(0);
        assertThat(second.tries()).isEqualTo(2);

        fixture.attempts.settle(fixture.dsl, second, List.of(), AttemptResult.interrupted(Duration.ZERO));

        assertThat(fixture.begin().get(0).tries()).isEqualTo(2);
    }

    @Test
    void the_message_behind_one_that_was_handled_is_at_its_first_try() {
        fixture.attempts.settle(fixture.dsl, released(), List.of(), AttemptResult.later(AGAIN, Duration.ZERO));
        Attempt second = fixture.begin().get(0);

        fixture.attempts.settle(
                fixture.dsl, second, second.messages().subList(0, 1), AttemptResult.interrupted(Duration.ZERO));

        assertThat(fixture.begin().get(0).tries()).isEqualTo(1);
    }

    @Test
    void a_message_is_taken_out_once() {
        Attempt attempt = released();
        HeldMessage first = attempt.messages().get(0);

        assertThat(isTakenOut(attempt, first)).isTrue();
        assertThat(isTakenOut(attempt, first)).isFalse();
        assertThat(fixture.ids(key)).containsExactly("m2", "m3");
    }

    /** Each body has as many bytes as its id has characters. */
    @Test
    void the_holds_of_one_turn_share_its_bytes_and_come_in_the_order_of_their_keys() {
        HoldKey later = fixture.parked("t", "t1", "t2", "t3");
        fixture.holds.release(later, BY_ANNA);
        fixture.holds.release(key, BY_ANNA);

        List<Attempt> begun = fixture.attempts.begin(
                fixture.dsl, DSL.trueCondition(), new Attempts.Limits(10, 100, 8, Duration.ofMinutes(1)));

        assertThat(begun).extracting(Attempt::key).containsExactly(key, later);
        assertThat(begun).allSatisfy(attempt -> assertThat(attempt.messages()).hasSize(2));
    }

    @Test
    void an_edit_makes_an_attempt_whose_time_is_up_invalid() {
        Attempt zombie = released();
        fixture.endTimeOfAttempts();

        fixture.holds.edit(key, zombie.messages().get(0).place(), content -> content, BY_ANNA);

        assertThat(fixture.attempts.settle(fixture.dsl, zombie, zombie.messages(), AttemptResult.parked(AGAIN)))
                .isFalse();
    }

    @Test
    void a_skip_of_the_first_messages_makes_an_attempt_whose_time_is_up_invalid() {
        Attempt zombie = released();
        fixture.endTimeOfAttempts();

        fixture.holds.skipFirst(HoldFilter.everything(), BY_ANNA);

        assertThat(fixture.attempts.settle(fixture.dsl, zombie, zombie.messages(), AttemptResult.parked(AGAIN)))
                .isFalse();
        assertThat(fixture.ids(key)).containsExactly("m2", "m3");
    }

    private boolean isTakenOut(Attempt attempt, HeldMessage message) {
        return fixture.dsl.transactionResult(tx -> fixture.attempts.done(tx.dsl(), attempt, message));
    }

    private Attempt released() {
        fixture.holds.release(key, BY_ANNA);
        return fixture.begin().get(0);
    }
}
