package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers that call services of a manager of transactions, which binds them to the thread. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class TransactionBoundaryTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));
    private static final FailurePolicy ALL_IS_PERMANENT = thrown -> Optional.of(FailureKind.PERMANENT);

    private final List<String> failures = new ArrayList<>();
    private InboxFixture inbox;
    private ThreadBoundTransactions manager;

    /** Is done between the consumer's start and its first message. */
    private Runnable whenProven = () -> {};

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
        manager = new ThreadBoundTransactions(inbox.dataSource);
    }

    @AfterEach
    void nothing_is_left_in_the_thread() {
        assertThat(manager.isBound()).isFalse();
    }

    @Test
    void a_handler_that_calls_a_transactional_service_has_its_effects_once_however_often_it_fails() {
        assertThat(run(this::bookAndFailTwice, settings -> {}).log()).containsExactly("complete m1", "close");

        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.recorded()).containsExactly("m1");
        assertThat(manager.begun()).as("with those of the proof").isEqualTo(2 + 3);
    }

    @Test
    void without_the_boundary_the_effects_of_such_a_service_are_applied_again_after_each_failure() {
        run(this::bookAndFailTwice, settings -> settings.boundary = null);

        assertThat(inbox.effects()).containsExactly("m1", "m1", "m1");
    }

    @Test
    void a_handler_that_swallows_the_exception_of_a_service_is_not_completed_without_effects() {
        var receiver = run(
                (tx, message) -> {
                    book(message);
                    assertThatThrownBy(() -> manager.service(() -> {
                                throw new IOException("no such wallet");
                            }))
                            .isInstanceOf(IOException.class);
                    return Verdict.done();
                },
                settings -> {});

        assertThat(receiver.log()).containsExactly("dead-letter m1 " + RollbackOnlyException.class.getName(), "close");
        assertThat(failures).hasSizeGreaterThan(1);
        assertThat(inbox.effects()).isEmpty();
        assertThat(inbox.recorded()).isEmpty();
    }

    @Test
    void a_handler_that_marks_its_transaction_by_itself_is_not_completed_without_effects() {
        var receiver = run(
                (tx, message) -> {
                    book(message);
                    manager.setRollbackOnly();
                    return Verdict.done();
                },
                settings -> {});

        assertThat(receiver.log()).containsExactly("dead-letter m1 " + RollbackOnlyException.class.getName(), "close");
    }

    @Test
    void a_handler_that_swallows_an_error_of_the_database_is_not_completed_without_effects() {
        var receiver = run(
                (tx, message) -> {
                    book(message);
                    assertThatThrownBy(() -> manager.repository().execute("select 1 / 0"))
                            .isNotNull();
                    return Verdict.done();
                },
                settings -> {});

        assertThat(receiver.log()).doesNotContain("complete m1");
        assertThat(inbox.effects()).isEmpty();
        assertThat(inbox.recorded()).isEmpty();
    }

    @Test
    void a_service_that_ends_the_bound_transaction_by_a_statement_is_found_out() {
        var receiver = run(
                (tx, message) -> {
                    manager.repository().execute("rollback");
                    return book(message);
                },
                settings -> {});

        assertThat(receiver.log()).containsExactly("dead-letter m1 org.postgresql.util.PSQLException", "close");
        assertThat(receiver.description()).contains("has ended the transaction of its message");
        assertThat(inbox.effects()).isEmpty();
    }

    @Test
    void an_exception_after_everything_was_committed_makes_no_failure_of_the_message() {
        whenProven = () -> manager.afterEachCommit(connection -> {
            throw new IllegalStateException("a listener of the application's, after the commit");
        });

        var receiver = run((tx, message) -> book(message), settings -> settings.failures = ALL_IS_PERMANENT);

        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(failures).isEmpty();
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void an_exception_before_anything_was_committed_is_a_failure_like_any_other() {
        var commits = new AtomicInteger();
        whenProven = () -> manager.beforeEachCommit(connection -> {
            if (commits.incrementAndGet() < 3) {
                throw new IllegalStateException("what was held back cannot be written");
            }
        });

        var receiver = run((tx, message) -> book(message), settings -> {});

        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(failures).containsExactly("m1 IllegalStateException", "m1 IllegalStateException");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_commit_of_which_nobody_can_say_whether_it_was_blames_no_message() {
        var away = new AtomicBoolean();
        var pool = ThreadBoundTransactions.proxy(DataSource.class, (method, arguments) -> {
            if (away.get() && method.getName().equals("getConnection")) {
                throw new SQLException("nobody can be asked", "08006");
            }
            return method.invoke(inbox.dataSource, arguments);
        });
        manager = new ThreadBoundTransactions(pool);
        whenProven = () -> manager.afterEachCommit(connection -> {
            away.set(true);
            throw new SQLException("the connection broke", "08006");
        });
        var receiver = session("m1");

        var turn = inbox.on(pool).turn(receiver, (tx, message) -> book(message), settings -> {
            settings.boundary = manager;
            settings.retries = BRIEFLY;
            settings.failures = ALL_IS_PERMANENT;
        });
        run(turn);

        assertThat(receiver.log()).containsExactly("close");
        assertThat(turn.parts().gate().isOpen()).isFalse();
        assertThat(inbox.count("inbox_session")).isZero();

        away.set(false);
        manager.afterEachCommit(connection -> {});
        whenProven = () -> {};
        var again = run((tx, message) -> book(message), settings -> {});
        assertThat(again.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_commit_that_is_still_under_way_when_its_caller_has_given_up_is_waited_for() throws Exception {
        var late = new CompletableFuture<Void>();
        whenProven = () -> manager.beforeEachCommit(connection -> {
            manager.detach();
            // The server is at it, and the client's thread has run out of time.
            new Thread(() -> {
                        try (connection) {
                            inbox.awaitLockWait();
                            connection.commit();
                            late.complete(null);
                        } catch (Throwable e) {
                            late.completeExceptionally(e);
                        }
                    })
                    .start();
            throw new SQLException("no answer in time");
        });

        var receiver = run((tx, message) -> book(message), settings -> settings.failures = ALL_IS_PERMANENT);

        late.get(20, TimeUnit.SECONDS);
        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void work_outside_that_a_listener_of_a_failed_commit_has_done_is_not_repeated() {
        var commits = new AtomicInteger();
        whenProven = () -> manager.beforeEachCommit(connection -> {
            // The second is that of the listener's own transaction.
            if (commits.incrementAndGet() == 1) {
                manager.requiresNew(() -> true);
                throw new IllegalStateException("the commit fails after all");
            }
        });

        var receiver = run((tx, message) -> book(message), settings -> {});

        assertThat(receiver.log()).containsExactly("dead-letter m1 " + OutsideWorkException.class.getName(), "close");
        assertThat(commits).as("none but the failed one and its listener's").hasValue(2);
        assertThat(inbox.effects()).isEmpty();
    }

    @Test
    void work_in_a_transaction_of_its_own_is_refused_with_a_plain_reason() {
        var calls = new AtomicInteger();
        var receiver = run(
                (tx, message) -> {
                    calls.incrementAndGet();
                    return manager.requiresNew(() -> book(message));
                },
                settings -> {});

        assertThat(receiver.log()).containsExactly("dead-letter m1 " + OutsideWorkException.class.getName(), "close");
        assertThat(receiver.description()).contains("suspended for a transaction of its own");
        assertThat(calls)
                .as("permanent, for each try has the same effects again")
                .hasValue(1);
        assertThat(inbox.recorded()).isEmpty();
    }

    @Test
    void work_outside_by_a_handler_that_took_too_long_is_not_repeated() throws Exception {
        var calls = new AtomicInteger();
        var receiver = session("m1");
        inbox.useRealTime();
        var turn = inbox.turn(
                receiver,
                (tx, message) -> {
                    calls.incrementAndGet();
                    manager.requiresNew(() -> book(message));
                    new CountDownLatch(1).await();
                    return Verdict.done();
                },
                settings -> {
                    settings.boundary = manager;
                    settings.handlerTimeout = Duration.ofMillis(300);
                });
        turn.parts().transactions().prove();

        turn.runWatched();

        assertThat(receiver.log()).containsExactly("dead-letter m1 " + OutsideWorkException.class.getName(), "close");
        assertThat(calls).hasValue(1);
    }

    @Test
    void work_in_a_transaction_of_its_own_goes_on_where_that_is_allowed() {
        var receiver = run(
                (tx, message) -> manager.requiresNew(() -> book(message)),
                settings -> settings.outsideWork = OutsideWork.WARN);

        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(inbox.recorded()).containsExactly("m1");
    }

    @Test
    void savepoints_are_the_managers() {
        var receiver = run(
                (tx, message) -> {
                    assertThatThrownBy(() -> tx.transaction(nested -> {}))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("savepoints");
                    tx.connection(connection -> {
                        assertThatThrownBy(connection::setSavepoint).hasMessageContaining("savepoints");
                        assertThatThrownBy(connection::commit).hasMessageContaining("must not call commit");
                    });
                    return book(message);
                },
                settings -> {});

        assertThat(receiver.log()).containsExactly("complete m1", "close");
    }

    @Test
    void each_message_has_a_transaction_alone_and_the_broker_hears_of_it_when_none_is_open() {
        var receiver = session("m1", "m2", "m3");
        receiver.onSettle(() -> {
            assertThat(manager.isBound()).isFalse();
            assertThat(inbox.effects()).hasSize(receiver.log().size() + 1);
        });

        inbox.turn(receiver, (tx, message) -> book(message), settings -> settings.boundary = manager)
                .run();

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m3", "close");
        assertThat(manager.begun()).isEqualTo(2 + 3);
    }

    @Test
    void a_batch_is_one_transaction_and_where_one_fails_those_before_it_get_a_new_one() {
        var receiver = session("m1", "m2", "bad", "m4");

        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            book(message);
                            return message.id().equals("bad") ? Verdict.deadLetter("Bad", "bad") : Verdict.done();
                        },
                        settings -> {
                            settings.boundary = manager;
                            settings.batch = 4;
                        })
                .run();

        assertThat(receiver.log())
                .containsExactly("complete m1", "complete m2", "dead-letter bad Bad", "complete m4", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m4");
        assertThat(manager.begun())
                .as("of the proof, all, the first two, bad, m4")
                .isEqualTo(2 + 4);
        assertThat(inbox.dsl.fetchValue(
                        "select count(distinct xmin::text) from " + inbox.schema.table("effect") + " where id <> 'm4'"))
                .isEqualTo(1L);
    }

    @Test
    void a_batch_whose_commit_throws_after_everything_was_committed_has_its_effects_once() {
        whenProven = () -> manager.afterEachCommit(connection -> {
            throw new IllegalStateException("after the commit");
        });
        var receiver = session("m1", "m2", "m3");

        run(inbox.turn(receiver, (tx, message) -> book(message), settings -> {
            settings.boundary = manager;
            settings.batch = 3;
            settings.failures = ALL_IS_PERMANENT;
        }));

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m3", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void a_message_out_of_a_hold_and_one_that_was_deferred_are_handled_in_such_transactions_too() throws Exception {
        var calls = new AtomicInteger();
        Handler handler = (tx, message) -> switch (calls.incrementAndGet()) {
            case 1 -> Verdict.retry(Duration.ofHours(1));
            case 2, 4 -> Verdict.defer("k");
            default -> book(message);
        };
        run(handler, settings -> {});
        inbox.dsl.execute("update " + inbox.schema.table("inbox_hold") + " set due_at = now()");
        var held = turn(session(), handler);
        held.runHolds();
        resume();
        held.parts().resumptions().run();
        held.runHolds();
        assertThat(inbox.effects()).containsExactly("m1");

        run(session("m2"), handler, settings -> {});
        resume();
        var back = session().deferring(new FakeMessage("m2", 1, 1));
        var turn = turn(back, handler);
        turn.parts().resumes().run(turn.work(), () -> {});

        assertThat(back.log()).containsExactly("complete m2", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2");
        assertThat(inbox.count("inbox_deferral")).isZero();
    }

    private void resume() {
        inbox.dsl.transaction(tx -> Deferrals.in(inbox.schema).resume(tx.dsl(), "test", "k"));
    }

    private Verdict bookAndFailTwice(DSLContext tx, InboundMessage message) throws Exception {
        book(message);
        if (failures.size() < 2) {
            throw new IOException("after the service has done its work");
        }
        return Verdict.done();
    }

    /** Books a message, as a service with a repository does it. */
    private Verdict book(InboundMessage message) throws Exception {
        return manager.service(() -> {
            manager.repository()
                    .execute(
                            "insert into " + inbox.schema.table("effect") + " (id) values ({0})",
                            DSL.val(message.id()));
            return Verdict.done();
        });
    }

    private ScriptedReceiver run(Handler handler, Consumer<ConsumerOptions> change) {
        return run(session("m1"), handler, change);
    }

    private ScriptedReceiver run(ScriptedReceiver receiver, Handler handler, Consumer<ConsumerOptions> change) {
        run(inbox.turn(receiver, handler, settings -> {
            settings.boundary = manager;
            settings.retries = BRIEFLY;
            settings.listener = new ConsumerListener() {
                @Override
                public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
                    failures.add(message.id() + " " + thrown.getClass().getSimpleName());
                }
            };
            change.accept(settings);
        }));
        return receiver;
    }

    private void run(InboxFixture.Turn turn) {
        try {
            turn.parts().transactions().prove();
        } catch (SQLException | InterruptedException e) {
            throw new AssertionError(e);
        }
        whenProven.run();
        turn.run();
    }

    private InboxFixture.Turn turn(ScriptedReceiver receiver, Handler handler) {
        return inbox.turn(receiver, handler, settings -> settings.boundary = manager);
    }

    private static ScriptedReceiver session(String... ids) {
        var messages = new ArrayList<InboundMessage>();
        for (String id : ids) {
            messages.add(new FakeMessage(id, 1, messages.size() + 1));
        }
        return ScriptedReceiver.ofSession(messages.toArray(InboundMessage[]::new));
    }
}
