package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.supervision.CountedFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session's hook fails again and again: the session's messages have to come to an end all the same. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class FailingHookTest {
    private static final SessionHook FAILS = session -> {
        throw new IllegalStateException("the service behind the hook is gone for good");
    };

    private final List<String> heard = new ArrayList<>();
    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_message_whose_sessions_hook_always_fails_becomes_a_dead_letter_that_says_why() {
        for (int acceptance = 1; acceptance <= 2; acceptance++) {
            assertThat(accept(FAILS, settings -> {}).log()).containsExactly("close");
        }

        var receiver = accept(FAILS, settings -> {});

        assertThat(receiver.log()).containsExactly("dead-letter m1 SessionHookFailed", "close");
        assertThat(receiver.description()).contains("3 times", "gone for good");
        assertThat(inbox.effects()).isEmpty();
        assertThat(heard).containsExactly("failed m1", "failed m1", "failed m1", "DEAD_LETTERED m1");
    }

    @Test
    void the_failure_counts_against_a_message_that_is_long_on_its_way() {
        var receiver = session();
        receiver.arrivesLate("m1");

        runFailing(inbox.turn(receiver, inbox::effect, settings -> {
            settings.sessionHook = FAILS;
            settings.firstMessage = Duration.ofSeconds(5);
            settings.deliveries = new DeliveryPolicy(5, 1, 3);
        }));

        assertThat(receiver.log()).containsExactly("dead-letter m1 SessionHookFailed", "close");
    }

    @Test
    void where_failed_sessions_are_held_it_is_held() {
        Consumer<ConsumerOptions> held = settings -> settings.onFailure = OnFailure.HOLD_SESSION;
        accept(FAILS, held);
        accept(FAILS, held);

        assertThat(accept(FAILS, held).log()).containsExactly("complete m1", "close");

        assertThat(inbox.dsl.fetchValue("select reason from " + inbox.schema.table("inbox_hold")))
                .isEqualTo("SessionHookFailed");
    }

    @Test
    void a_hook_that_is_well_again_costs_no_message_anything() {
        accept(FAILS, settings -> {});
        accept(FAILS, settings -> {});

        assertThat(accept(SessionHook.NONE, settings -> {}).log())
                .containsExactly("complete m1", "complete m2", "close");

        assertThat(inbox.effects()).containsExactly("m1", "m2");
    }

    @Test
    void a_failure_that_the_policy_calls_permanent_is_not_waited_for() {
        Consumer<ConsumerOptions> permanent =
                settings -> settings.failures = thrown -> Optional.of(FailureKind.PERMANENT);

        assertThat(accept(FAILS, permanent).log()).containsExactly("dead-letter m1 SessionHookFailed", "close");
    }

    @Test
    void while_the_database_is_away_nothing_is_counted() {
        var calls = new AtomicInteger();
        SessionHook hook = session -> {
            calls.incrementAndGet();
            throw new IllegalStateException("no database for the hook either");
        };
        // The token is drawn; then there is no connection any more.
        var receiver = session();
        var turn = inbox.on(FailingPool.after(1, inbox.dataSource))
                .turn(receiver, inbox::effect, settings -> settings.sessionHook = hook);

        runFailing(turn);

        assertThat(calls).hasValue(1);
        assertThat(receiver.log()).containsExactly("close");
        assertThat(turn.parts().gate().isOpen()).isFalse();
        assertThat(inbox.count("inbox_session")).isZero();
    }

    @Test
    void a_lock_that_is_lost_meanwhile_blames_no_message() {
        var receiver = session();
        SessionHook hook = session -> {
            receiver.lose();
            throw new IllegalStateException("because the session is gone");
        };

        inbox.turn(receiver, inbox::effect, settings -> settings.sessionHook = hook)
                .run();

        assertThat(receiver.log()).containsExactly("close");
        assertThat(inbox.count("inbox_session")).isZero();
    }

    @Test
    void a_consumer_that_stops_blames_no_message() {
        var receiver = session();
        SessionHook hook = session -> {
            inbox.stopping.set(true);
            throw new IllegalStateException("because everything ends");
        };

        runFailing(inbox.turn(receiver, inbox::effect, settings -> settings.sessionHook = hook));

        assertThat(receiver.log()).containsExactly("close");
        assertThat(inbox.count("inbox_session")).isZero();
    }

    @Test
    void a_hook_that_fails_when_its_session_is_released_costs_no_message_anything() {
        var receiver = session();
        SessionHook hook = new SessionHook() {
            @Override
            public void accepted(BrokerSession session) {}

            @Override
            public void releasing(BrokerSession session) {
                throw new IllegalStateException("always");
            }
        };

        var failure = runFailing(inbox.turn(receiver, inbox::effect, settings -> settings.sessionHook = hook));

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "close");
        assertThat(failure).hasCauseInstanceOf(IllegalStateException.class);
    }

    private ScriptedReceiver accept(SessionHook hook, Consumer<ConsumerOptions> change) {
        var receiver = session();
        var turn = inbox.turn(receiver, inbox::effect, settings -> {
            settings.sessionHook = hook;
            settings.deliveries = new DeliveryPolicy(5, 3, 3);
            settings.listener = new ConsumerListener() {
                @Override
                public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
                    heard.add("failed " + message.id());
                }

                @Override
                public void settled(InboundMessage message, Outcome outcome) {
                    heard.add(outcome + " " + message.id());
                }
            };
            change.accept(settings);
        });
        runFailing(turn);
        return receiver;
    }

    // Its thread counts the failure.
    private static Throwable runFailing(InboxFixture.Turn turn) {
        try {
            turn.run();
            return new AssertionError("no failure");
        } catch (CountedFailure e) {
            return e;
        }
    }

    private static ScriptedReceiver session() {
        return ScriptedReceiver.ofSession(new FakeMessage("m1", 1, 1), new FakeMessage("m2", 1, 2));
    }
}
