package dev.waybill.inbox.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.FakeMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.ScriptedReceiver;
import dev.waybill.inbox.ThreadBoundTransactions;
import dev.waybill.inbox.connect.Backend;
import dev.waybill.inbox.connect.Database;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

class InFlightWorkTest {
    private static final Duration HANDLER = Duration.ofMinutes(2);
    private static final Duration LOCK = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofSeconds(2);
    private static final Duration RENEWAL = Duration.ofMinutes(5);

    private final AtomicLong clock = new AtomicLong();
    private final EntityLock lock = new EntityLock("q", LOCK);
    private final InFlightWork work = new InFlightWork(
            new InFlightWork.Limits(HANDLER, lock, RENEWAL, Duration.ofSeconds(1)),
            new WorkerClock(clock::get, pause -> true),
            new StatementCanceller(new Database(new PGSimpleDataSource())));
    private final LockWatchdog watch = new LockWatchdog(List.of(work));

    @Test
    void a_lock_is_prolonged_from_half_its_time_on_until_the_worst_case_is_over() {
        var session = ScriptedReceiver.ofSession();
        work.accepted(session);
        work.received(FakeMessage.of("m1"));
        pass(Duration.ofSeconds(29));
        assertThat(session.renewals()).isZero();

        for (int minute = 0; minute < 20; minute++) {
            pass(Duration.ofSeconds(30));
        }

        assertThat(session.renewals()).isBetween(8, 11);
        assertThatThrownBy(work::requireLock).isInstanceOf(LockLostException.class);
    }

    @Test
    void every_message_of_a_session_has_the_worst_case_to_itself() {
        work.accepted(ScriptedReceiver.ofSession());
        for (int message = 0; message < 10; message++) {
            work.received(FakeMessage.of("m" + message));
            for (int i = 0; i < 8; i++) {
                pass(Duration.ofSeconds(30));
            }
            work.settled();
        }

        work.requireLock();
    }

    @Test
    void a_renewal_that_fails_for_another_reason_is_tried_again_before_the_lock_counts_as_lost() {
        var session = ScriptedReceiver.ofSession();
        session.renewsWith(CompletableFuture.failedFuture(new IllegalStateException("no network")));
        work.accepted(session);
        work.received(FakeMessage.of("m1"));

        pass(Duration.ofSeconds(50));
        assertThat(session.renewals()).isGreaterThan(1);
        session.renewsWith(CompletableFuture.completedFuture(null));
        pass(Duration.ofMinutes(2));

        work.requireLock();
    }

    @Test
    void a_renewal_that_cannot_even_be_asked_for_is_tried_again_like_any_other() {
        var session = ScriptedReceiver.ofSession();
        session.failsToRenew(new OutOfMemoryError("unable to create native thread"));
        work.accepted(session);
        work.received(FakeMessage.of("m1"));

        pass(Duration.ofSeconds(40));
        assertThat(session.renewals()).isGreaterThan(1);
        session.renewsWith(CompletableFuture.completedFuture(null));
        pass(Duration.ofMinutes(2));

        work.requireLock();
    }

    @Test
    void a_message_that_was_sent_before_the_lock_was_prolonged_says_nothing_of_a_shorter_lock() {
        work.accepted(ScriptedReceiver.ofSession());
        work.received(FakeMessage.of("m0"));
        pass(Duration.ofSeconds(32));

        // Read ahead in the lock's first half, and handled now that it was prolonged.
        work.received(FakeMessage.of("m1").locked(Instant.ofEpochSecond(29), Instant.ofEpochSecond(60)));

        assertThat(lock.lasts()).isEqualTo(LOCK);
    }

    @Test
    void a_session_whose_lock_cannot_be_prolonged_is_given_back_before_it_ends() {
        var session = ScriptedReceiver.ofSession();
        session.renewsWith(CompletableFuture.failedFuture(new IllegalStateException("no network")));
        work.accepted(session);
        work.received(FakeMessage.of("m1"));

        pass(Duration.ofSeconds(53));
        assertThat(session.log()).isEmpty();
        pass(Duration.ofSeconds(2));

        await().untilAsserted(() -> assertThat(session.log()).containsExactly("close"));
        assertThatThrownBy(work::requireLock).isInstanceOf(LockLostException.class);
    }

    @Test
    void an_interrupt_that_nobody_has_asked_for_reaches_neither_the_attempt_nor_what_comes_after_it() {
        work.accepted(ScriptedReceiver.ofSession());
        Thread.currentThread().interrupt();
        work.begin();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();

        Thread.currentThread().interrupt();
        work.end();

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_lost_lock_interrupts_the_attempt_and_nothing_after_it() {
        var session = ScriptedReceiver.ofSession();
        session.renewsWith(CompletableFuture.failedFuture(new LockLostException("gone", null)));
        work.accepted(session);
        work.received(FakeMessage.of("m1"));
        work.begin();

        pass(Duration.ofSeconds(40));

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(work.end()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
        assertThatThrownBy(work::requireLock).hasMessage("gone");
    }

    @Test
    void a_handler_that_takes_too_long_is_interrupted_and_a_rest_is_not() {
        work.accepted(ScriptedReceiver.ofSession());
        work.received(FakeMessage.of("m1"));
        work.begin();
        pass(HANDLER);
        assertThat(Thread.interrupted()).isFalse();
        work.end();

        work.accepted(ScriptedReceiver.ofSession());
        work.begin();
        work.handling(FakeMessage.of("m1"), new Backend(1, "now"));
        pass(HANDLER);

        assertThat(work.end()).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_session_that_was_lost_is_no_concern_of_what_is_done_without_one_afterwards() {
        var session = ScriptedReceiver.ofSession();
        work.accepted(session);
        session.lose();
        work.released();

        work.begin();
        work.end();
    }

    @Test
    void without_sessions_there_is_no_lock_between_two_messages() {
        var plain = ScriptedReceiver.ofQueue();
        work.accepted(plain);
        pass(Duration.ofHours(1));
        assertThat(plain.renewals()).isZero();

        work.received(FakeMessage.of("m1"));
        pass(Duration.ofSeconds(31));

        assertThat(plain.renewals()).isEqualTo(1);
        work.requireLock();
    }

    @Test
    void a_session_that_the_broker_takes_away_is_lost_and_a_former_one_is_nobodys_business() {
        var former = ScriptedReceiver.ofSession();
        work.accepted(former);
        work.accepted(ScriptedReceiver.ofSession());
        former.lose();
        work.requireLock();

        var current = ScriptedReceiver.ofSession();
        work.accepted(current);
        current.lose();

        assertThatThrownBy(work::requireLock).isInstanceOf(LockLostException.class);
    }

    @Test
    @Timeout(10)
    void a_connection_that_cannot_be_cut_just_now_keeps_no_lock_from_being_prolonged() {
        var hangs = new CountDownLatch(1);
        var session = ScriptedReceiver.ofSession();
        work.accepted(session);
        work.received(FakeMessage.of("m1"));
        work.begin();
        work.using(ThreadBoundTransactions.proxy(Connection.class, (method, arguments) -> {
            hangs.await();
            return false;
        }));
        work.handling(FakeMessage.of("m1"), new Backend(1, "now"));

        pass(HANDLER.plusSeconds(20));
        int renewals = session.renewals();
        pass(LOCK);

        assertThat(session.renewals()).isGreaterThan(renewals);
        hangs.countDown();
        work.end();
    }

    private void pass(Duration time) {
        for (Duration left = time; !left.isZero(); left = left.minus(STEP.compareTo(left) < 0 ? STEP : left)) {
            clock.addAndGet((STEP.compareTo(left) < 0 ? STEP : left).toNanos());
            watch.take();
        }
    }
}
