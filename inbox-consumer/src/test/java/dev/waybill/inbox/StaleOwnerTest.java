package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.InboxKey;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An owner of a session is frozen after its handler, and wakes when the session has had another owner. The stale owner
 * may change nothing, whatever it was about to write, and may tell the broker nothing.
 */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class StaleOwnerTest {
    private static final String KEY = "order-1";
    private static final RetryPolicy NOT_IN_PLACE =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO);

    InboxFixture inbox;
    private final AtomicBoolean handled = new AtomicBoolean();

    private static void asEver(ConsumerOptions settings) {}

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_deferral_that_the_next_owner_has_stored_is_not_marked_as_leaving_the_broker() {
        run(session(1), Verdict.defer(KEY));

        var stale = stale(
                session(1),
                refuses(),
                StaleOwnerTest::asEver,
                this::isNext,
                () -> run(session(1), Verdict.defer("new")));

        assertThat(stale.log()).containsExactly("close");
        assertThat(deferral()).isEqualTo("new, not leaving");
    }

    @Test
    void a_session_that_goes_on_is_not_parked() {
        var stale = stale(
                session(1),
                refuses(),
                settings -> settings.onFailure = OnFailure.HOLD_SESSION,
                this::isNext,
                () -> run(session(1), Verdict.deadLetter("Bad", "for the next owner too, whose policy is another")));

        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.count("inbox_hold")).isZero();
        assertThat(inbox.count("inbox_held_message")).isZero();
    }

    @Test
    void a_session_that_goes_on_is_not_held_for_a_while() {
        var stale = stale(
                session(1),
                (tx, message) -> wakes(Verdict.retry(Duration.ofHours(1))),
                StaleOwnerTest::asEver,
                this::isNext,
                () -> run(session(1), Verdict.deadLetter("Bad", "whatever the time")));

        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.count("inbox_hold")).isZero();
    }

    @Test
    void a_message_that_the_next_owner_has_dead_lettered_does_not_join_the_hold_of_its_session() {
        run(session(1), Verdict.retry(Duration.ofHours(1)));

        var stale = stale(
                session(2),
                (tx, message) -> Verdict.done(),
                StaleOwnerTest::asEver,
                sql -> sql.contains("set_config")
                        && sql.contains("into " + inbox.schema.table("inbox_message"))
                        && !sql.contains("pg_advisory"),
                () -> {
                    inbox.dsl.execute("delete from " + inbox.schema.table("inbox_hold"));
                    run(session(2), Verdict.deadLetter("Bad", "after an operator has ended the hold"));
                });

        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.count("inbox_held_message")).isZero();
    }

    @Test
    void a_count_of_failures_that_the_next_owner_has_begun_is_left_alone() {
        var stale = stale(session(1), fails(), StaleOwnerTest::asEver, this::isNext, () -> runFailing(session(2)));

        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.dsl
                        .fetch("select message_key from " + inbox.schema.table("inbox_session"))
                        .getValues(0, UUID.class))
                .containsExactly(InboxKey.ofCopy("test", message(2)));
    }

    @Test
    void what_the_next_owner_has_tried_in_vain_is_not_put_off_further() throws Exception {
        run(session(1), Verdict.defer(KEY));
        resume();
        // The next owner, who is told that the message is wanted, does not find it: that is one try.
        var stale = staleResume(
                fails(), sql -> sql.contains("set tries = tries + 1"), () -> run(session(2), Verdict.done()));

        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.dsl.fetchValue("select tries from " + inbox.schema.table("inbox_deferral")))
                .isEqualTo(1);
    }

    @Test
    @Tag("long")
    void a_deferral_that_was_resumed_for_the_next_owner_does_not_wait_because_the_stale_one_saw_the_resume()
            throws Exception {
        run(session(1), Verdict.defer(KEY));
        resume();

        // It sees the resume, and defers all the same; the next owner fails for a while and is to try again.
        var stale = staleResume(
                (tx, message) -> wakes(Verdict.defer(KEY)),
                sql -> sql.startsWith("insert into " + inbox.schema.table("inbox_acceptance"))
                        || sql.startsWith("update " + inbox.schema.table("inbox_deferral") + " d set tries = 0"),
                this::resumeInVain);

        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.dsl.fetchValue("select resume_at from " + inbox.schema.table("inbox_deferral")))
                .isNotNull();
    }

    @Test
    void a_deferral_that_the_next_owner_has_put_off_is_not_put_off_again_as_not_found() throws Exception {
        run(session(1), Verdict.defer(KEY));
        resume();

        var gone = ScriptedReceiver.ofSession();
        staleResume(gone, fails(), sql -> sql.contains("resume_at = clock_timestamp() + least"), this::resumeInVain);

        assertThat(inbox.dsl.fetchValue("select tries from " + inbox.schema.table("inbox_deferral")))
                .isEqualTo(1);
    }

    @Test
    void an_owner_that_was_frozen_and_still_has_the_session_does_what_it_was_about_to_do() {
        run(session(1), Verdict.defer(KEY));

        assertThat(stale(session(1), refuses(), StaleOwnerTest::asEver, this::isNext, () -> {})
                        .log())
                .containsExactly("dead-letter m1 Bad", "close");

        assertThat(inbox.count("inbox_deferral")).isZero();
        assertThat(stale(
                                session(2),
                                (tx, message) -> wakes(Verdict.retry(Duration.ofHours(1))),
                                StaleOwnerTest::asEver,
                                this::isNext,
                                () -> {})
                        .log())
                .containsExactly("complete m2", "close");
        assertThat(inbox.count("inbox_held_message")).isEqualTo(1);
    }

    private Handler refuses() {
        return (tx, message) -> wakes(Verdict.deadLetter("Bad", "bad"));
    }

    private Handler fails() {
        return (tx, message) -> {
            wakes(Verdict.done());
            throw new SQLException("not now", "40001");
        };
    }

    private Verdict wakes(Verdict verdict) {
        handled.set(true);
        return verdict;
    }

    /** The first statement after the handler, whatever it is. */
    private boolean isNext(String sql) {
        return handled.get();
    }

    private ScriptedReceiver stale(
            ScriptedReceiver receiver,
            Handler handler,
            Consumer<ConsumerOptions> change,
            Predicate<String> before,
            Runnable meanwhile) {
        handled.set(false);
        var pool = new FreezingPool(before, meanwhile);
        inbox.on(pool.of(inbox.dataSource))
                .turn(receiver, handler, settings -> {
                    settings.retries = NOT_IN_PLACE;
                    settings.lockTimeout = Duration.ofSeconds(1);
                    change.accept(settings);
                })
                .run();
        assertThat(pool.hasFrozen()).isTrue();
        return receiver;
    }

    private ScriptedReceiver staleResume(Handler handler, Predicate<String> before, Runnable meanwhile)
            throws Exception {
        return staleResume(ScriptedReceiver.ofSession().deferring(message(1)), handler, before, meanwhile);
    }

    private ScriptedReceiver staleResume(
            ScriptedReceiver receiver, Handler handler, Predicate<String> before, Runnable meanwhile) throws Exception {
        var pool = new FreezingPool(before, meanwhile);
        var turn = inbox.on(pool.of(inbox.dataSource))
                .turn(receiver, handler, settings -> settings.retries = NOT_IN_PLACE);
        turn.parts().resumes().run(turn.work(), () -> {});
        assertThat(pool.hasFrozen()).isTrue();
        return receiver;
    }

    private void resumeInVain() {
        var turn = inbox.turn(
                ScriptedReceiver.ofSession().deferring(message(1)),
                (tx, message) -> {
                    throw new SQLException("not now", "40001");
                },
                settings -> settings.retries = NOT_IN_PLACE);
        try {
            turn.parts().resumes().run(turn.work(), () -> {});
        } catch (InterruptedException | SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void run(ScriptedReceiver receiver, Verdict verdict) {
        inbox.turn(receiver, (tx, message) -> verdict).run();
        assertThat(receiver.log()).hasSize(2);
    }

    private void runFailing(ScriptedReceiver receiver) {
        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            throw new SQLException("not now", "40001");
                        },
                        settings -> settings.retries = NOT_IN_PLACE)
                .run();
        assertThat(receiver.log()).containsExactly("close");
    }

    private void resume() {
        inbox.dsl.transaction(tx -> Deferrals.in(inbox.schema).resume(tx.dsl(), "test", KEY));
    }

    private String deferral() {
        var row = inbox.dsl.fetchSingle("select defer_key, gone_by from " + inbox.schema.table("inbox_deferral"));
        return row.get(0) + (row.get(1) == null ? ", not leaving" : ", leaving");
    }

    private static ScriptedReceiver session(long number) {
        return ScriptedReceiver.ofSession(message(number));
    }

    private static FakeMessage message(long number) {
        return new FakeMessage("m" + number, 1, number);
    }
}
