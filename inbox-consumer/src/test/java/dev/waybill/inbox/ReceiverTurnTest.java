package dev.waybill.inbox;

import static dev.waybill.inbox.InboxFixture.DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.heartbeat.ConsumerHeartbeat;
import dev.waybill.inbox.heartbeat.CrashCounter;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ReceiverTurnTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));

    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void effects_are_committed_before_the_message_is_completed() {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        receiver.onSettle(() -> {
            assertThat(inbox.effects()).containsExactly("m1");
            assertThat(inbox.recorded()).containsExactly("m1");
        });

        inbox.turn(receiver, inbox::effect).run();

        assertThat(receiver.log()).containsExactly("complete m1", "close");
    }

    @Test
    void a_message_that_comes_again_is_completed_without_a_second_effect() {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), new FakeMessage("m1", 2), FakeMessage.of("m2"));

        inbox.turn(receiver, inbox::effect).run();

        assertThat(receiver.log()).containsExactly("complete m1", "complete m1", "complete m2", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2");
    }

    @Test
    void a_lost_completion_leaves_a_message_whose_next_delivery_has_no_effect() {
        var lost = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        lost.onSettle(() -> {
            throw new LockLostException("the reply was lost", null);
        });
        inbox.turn(lost, inbox::effect).run();
        var again = ScriptedReceiver.ofSession(new FakeMessage("m1", 2));

        inbox.turn(again, inbox::effect).run();

        assertThat(again.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_retry_verdict_rolls_back_and_tries_the_same_message_before_the_next() {
        var tries = new AtomicInteger();
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));

        inbox.turn(receiver, (tx, message) -> {
                    inbox.effect(tx, message);
                    return tries.incrementAndGet() < 3 ? Verdict.retry(Duration.ofMillis(1)) : Verdict.done();
                })
                .run();

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2");
        assertThat(tries).hasValue(4);
    }

    @Test
    void a_dead_letter_verdict_leaves_neither_effects_nor_the_id_so_that_its_redrive_is_applied_once() {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        inbox.turn(receiver, (tx, message) -> {
                    inbox.effect(tx, message);
                    return Verdict.deadLetter("BadSchema", "no amount");
                })
                .run();
        assertThat(receiver.log()).containsExactly("dead-letter m1 BadSchema", "close");
        assertThat(inbox.effects()).isEmpty();
        assertThat(inbox.recorded()).isEmpty();

        inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m1")), inbox::effect)
                .run();

        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void an_unknown_exception_is_retried_in_place_and_then_dead_lettered_with_its_type() {
        var tries = new AtomicInteger();
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));

        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            if (message.id().equals("m1")) {
                                tries.incrementAndGet();
                                throw new IOException("poison");
                            }
                            return inbox.effect(tx, message);
                        },
                        settings -> settings.retries = BRIEFLY)
                .run();

        assertThat(tries).hasValueGreaterThan(1);
        assertThat(receiver.log()).containsExactly("dead-letter m1 java.io.IOException", "complete m2", "close");
        assertThat(inbox.effects()).containsExactly("m2");
    }

    @Test
    void a_permanent_failure_is_not_tried_again() {
        var tries = new AtomicInteger();
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        FailurePolicy ours = thrown ->
                thrown instanceof IllegalArgumentException ? Optional.of(FailureKind.PERMANENT) : Optional.empty();

        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            tries.incrementAndGet();
                            throw new IllegalArgumentException("no such wallet");
                        },
                        settings -> settings.failures = ours)
                .run();

        assertThat(tries).hasValue(1);
        assertThat(receiver.log()).containsExactly("dead-letter m1 java.lang.IllegalArgumentException", "close");
    }

    @Test
    void a_transient_failure_never_dead_letters_a_message_nor_lets_the_next_overtake_it() {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));

        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            throw new SQLException("deadlock detected", "40P01");
                        },
                        settings -> settings.retries = BRIEFLY)
                .run();

        assertThat(receiver.log()).containsExactly("close");
    }

    @Test
    void a_session_given_back_too_often_for_one_message_ends_in_a_dead_letter() {
        var thrice = new DeliveryPolicy(5, 3, 3);
        for (int close = 1; close <= 3; close++) {
            var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
            inbox.turn(
                            receiver,
                            (tx, message) -> {
                                throw new SQLException("deadlock detected", "40P01");
                            },
                            settings -> {
                                settings.deliveries = thrice;
                                settings.retries = BRIEFLY;
                            })
                    .run();
            assertThat(receiver.log())
                    .isEqualTo(close < 3 ? List.of("close") : List.of("dead-letter m1 java.sql.SQLException", "close"));
        }
    }

    @Test
    void without_sessions_a_failed_message_is_abandoned_until_its_deliveries_are_used_up() {
        inbox.entity(EntityDescription.of("q", false));
        var receiver = ScriptedReceiver.ofQueue(new FakeMessage("m1", 4), new FakeMessage("m1", 5));

        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            throw new IOException("poison");
                        },
                        settings -> settings.retries = BRIEFLY)
                .run();

        assertThat(receiver.log()).containsExactly("abandon m1", "dead-letter m1 java.io.IOException", "close");
    }

    @Test
    void a_handler_that_swallows_a_database_error_is_not_completed() {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));

        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            inbox.effect(tx, message);
                            assertThatThrownBy(() -> tx.execute("select 1 / 0")).isNotNull();
                            return Verdict.done();
                        },
                        settings -> settings.retries = BRIEFLY)
                .run();

        assertThat(inbox.effects()).isEmpty();
        assertThat(receiver.log()).doesNotContain("complete m1");
    }

    @Test
    void a_nested_transaction_of_the_handler_is_a_savepoint_of_the_inboxs() {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));

        inbox.turn(receiver, (tx, message) -> {
                    tx.transaction(nested -> inbox.effect(nested.dsl(), message));
                    assertThatThrownBy(() -> tx.transaction(nested -> {
                                inbox.effect(nested.dsl(), FakeMessage.of("undone"));
                                throw new IllegalStateException("inner");
                            }))
                            .isInstanceOf(IllegalStateException.class);
                    return message.id().equals("m1") ? Verdict.deadLetter("No", "no") : Verdict.done();
                })
                .run();

        assertThat(inbox.effects()).containsExactly("m2");
    }

    @Test
    void two_deliveries_of_one_message_at_once_have_one_effect() throws Exception {
        var inHandler = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        var first = CompletableFuture.runAsync(() -> inbox.turn(
                        ScriptedReceiver.ofSession(FakeMessage.of("m1")), (tx, message) -> {
                            inHandler.countDown();
                            assertThat(mayGoOn.await(10, TimeUnit.SECONDS)).isTrue();
                            return inbox.effect(tx, message);
                        })
                .run());
        assertThat(inHandler.await(10, TimeUnit.SECONDS)).isTrue();
        var handled = new AtomicInteger();
        var second = CompletableFuture.runAsync(() -> inbox.turn(
                        ScriptedReceiver.ofSession(FakeMessage.of("m1")), (tx, message) -> {
                            handled.incrementAndGet();
                            return inbox.effect(tx, message);
                        })
                .run());

        mayGoOn.countDown();
        CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);

        assertThat(handled).hasValue(0);
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_delivery_that_waits_for_another_one_gives_up_before_its_lock_ends() {
        var outcome = new ArrayList<FailureKind>();
        var listener = new ConsumerListener() {
            @Override
            public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
                assertThat(thrown).hasMessageContaining("lock timeout");
                outcome.add(kind);
            }
        };
        inbox.dsl.transaction(other -> {
            Inbox.in(inbox.schema).firstTime(other.dsl(), "test", "m1");
            var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));

            inbox.turn(receiver, inbox::effect, settings -> {
                        settings.lockTimeout = Duration.ofMillis(50);
                        settings.retries = BRIEFLY;
                        settings.listener = listener;
                    })
                    .run();

            assertThat(receiver.log()).containsExactly("close");
        });

        assertThat(outcome).isNotEmpty().containsOnly(FailureKind.TRANSIENT);
    }

    @Test
    void transactions_of_another_isolation_level_are_refused_and_no_message_is_blamed(TestDatabase database) {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.server().jdbcUrl());
            pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
            pool.setMaximumPoolSize(2);
            var strict = inbox.on(pool);
            var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));

            var turn = strict.turn(receiver, strict::effect, settings -> settings.retries = BRIEFLY);
            turn.run();

            assertThat(receiver.log()).containsExactly("close");
            assertThat(inbox.recorded()).isEmpty();
            assertThat(turn.parts().gate().trouble()).hasMessageContaining("READ COMMITTED");
            assertThat(inbox.count("inbox_session")).isZero();
        }
    }

    @Test
    void a_message_that_stops_its_process_again_and_again_is_dead_lettered() throws SQLException {
        for (int delivery = 2; delivery <= 4; delivery++) {
            leaveAStartBehind(delivery);
        }
        var receiver = ScriptedReceiver.ofSession(new FakeMessage("m1", 5), FakeMessage.of("m2"));

        inbox.turn(receiver, inbox::effect).run();

        assertThat(receiver.log()).containsExactly("dead-letter m1 ProcessStopped", "complete m2", "close");
        assertThat(inbox.effects()).containsExactly("m2");
    }

    // Records a start without an end, as a process leaves it that dies in its handler.
    private void leaveAStartBehind(int delivery) throws SQLException {
        var database = new Database(inbox.dataSource);
        var heartbeat = new ConsumerHeartbeat(database, inbox.schema, "test", "orders", Duration.ofMinutes(10));
        new CrashCounter(database, inbox.schema, "test", 3, heartbeat).begin(new FakeMessage("m1", delivery));
    }

    @Test
    void after_a_process_has_vanished_starts_are_recorded_from_the_first_delivery_on() throws SQLException {
        new ConsumerHeartbeat(new Database(inbox.dataSource), inbox.schema, "test", "orders", Duration.ofMinutes(10))
                .beat();
        var turn = inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2")), (tx, message) -> {
            assertThat(inbox.count("inbox_start")).isEqualTo(1);
            return Verdict.done();
        });
        turn.parts().heartbeat().beat();
        assertThat(turn.parts().heartbeat().isSuspicious(FakeMessage.of("m1"))).isFalse();

        inbox.dsl.execute("update " + inbox.schema.table("inbox_instance") + " set alive_until = now()");
        turn.parts().heartbeat().beat();
        turn.run();

        assertThat(turn.parts().heartbeat().isSuspicious(FakeMessage.of("m1"))).isTrue();
        assertThat(inbox.recorded()).containsExactly("m1", "m2");
        assertThat(inbox.count("inbox_start")).isZero();
    }

    @Test
    void a_message_that_came_after_a_process_had_vanished_is_not_suspected() throws SQLException {
        new ConsumerHeartbeat(new Database(inbox.dataSource), inbox.schema, "test", "orders", Duration.ofMinutes(10))
                .beat();
        inbox.dsl.execute("update " + inbox.schema.table("inbox_instance") + " set alive_until = now()");
        var later = FakeMessage.of("m1")
                .locked(Instant.now().plus(Duration.ofMinutes(2)), Instant.now().plus(Duration.ofMinutes(5)));
        var turn = inbox.turn(ScriptedReceiver.ofSession(later), (tx, message) -> {
            assertThat(inbox.count("inbox_start")).isZero();
            return Verdict.done();
        });
        turn.parts().heartbeat().beat();
        turn.run();

        assertThat(turn.parts().heartbeat().isSuspicious(FakeMessage.of("m0"))).isTrue();
        assertThat(inbox.recorded()).containsExactly("m1");
    }

    @Test
    void a_message_that_fails_orderly_leaves_no_start_behind() {
        var receiver = ScriptedReceiver.ofSession(new FakeMessage("m1", 2));
        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            assertThat(inbox.count("inbox_start")).isEqualTo(1);
                            throw new IOException("no");
                        },
                        settings -> settings.retries = BRIEFLY)
                .run();

        assertThat(inbox.count("inbox_start")).isZero();
    }

    @Test
    void consumers_of_different_names_each_handle_the_message() {
        var memory = Inbox.in(inbox.schema);
        inbox.dsl.transaction(tx -> {
            assertThat(memory.firstTime(tx.dsl(), "ledger", "m1")).isTrue();
            assertThat(memory.firstTime(tx.dsl(), "fraud", "m1")).isTrue();
            assertThat(memory.firstTime(tx.dsl(), "ledger", "m1")).isFalse();
            assertThat(memory.firstTime(tx.dsl(), "ledgerm", "1")).isTrue();
        });
        assertThatThrownBy(() -> memory.firstTime(inbox.dsl, "ledger", "m2")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void listeners_hear_deliveries_and_why_they_were_settled() {
        var heard = new ArrayList<String>();
        var listener = new ConsumerListener() {
            @Override
            public void received(InboundMessage message) {
                heard.add("received " + message.id());
            }

            @Override
            public void settled(InboundMessage message, Outcome outcome) {
                heard.add(outcome + " " + message.id());
            }
        };
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m1"));

        inbox.turn(receiver, DONE, settings -> {
                    settings.listener = listener;
                    settings.readAhead = 0;
                })
                .run();

        assertThat(heard).containsExactly("received m1", "DONE m1", "received m1", "DUPLICATE m1");
    }

    @Test
    void a_consumer_that_stops_keeps_a_sessions_message_in_its_place_and_gives_any_other_back() {
        Handler stops = (tx, message) -> {
            inbox.stopping.set(true);
            return Verdict.retry(Duration.ofMillis(1));
        };
        var session = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        inbox.turn(session, stops).run();
        inbox.stopping.set(false);
        inbox.entity(EntityDescription.of("q", false));
        var plain = ScriptedReceiver.ofQueue(FakeMessage.of("m1"));
        inbox.turn(plain, stops).run();

        assertThat(session.log()).containsExactly("close");
        assertThat(plain.log()).containsExactly("abandon m1", "close");
    }
}
