package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.SchemaName;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class SessionTurnTest {
    private static final long TICK = Duration.ofMillis(10).toNanos();
    private static final Handler DONE = (tx, message) -> Verdict.done();

    private final RetryPolicy retries =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(30));
    private final AtomicLong clock = new AtomicLong();
    private SchemaName schema;
    private DSLContext dsl;

    @BeforeEach
    void create_the_tables(TestDatabase database) throws SQLException {
        schema = new SchemaName(database.schema());
        Migrations.of(database.dataSource(), schema).apply();
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        dsl.execute("create table " + schema.table("effect") + " (id text not null)");
    }

    @Test
    void effects_are_committed_before_the_message_is_completed() throws Exception {
        var session = new ScriptedSession(FakeMessage.of("m1"));
        session.onSettle(() -> assertThat(effects()).containsExactly("m1"));

        turn(session, this::effect).run();

        assertThat(session.log()).containsExactly("complete m1", "close");
    }

    @Test
    void a_message_that_comes_again_is_completed_without_a_second_effect() throws Exception {
        var session = new ScriptedSession(FakeMessage.of("m1"), FakeMessage.of("m1"), FakeMessage.of("m2"));

        turn(session, this::effect).run();

        assertThat(session.log()).containsExactly("complete m1", "complete m1", "complete m2", "close");
        assertThat(effects()).containsExactly("m1", "m2");
    }

    @Test
    void a_lost_completion_leaves_a_message_whose_next_delivery_has_no_effect() throws Exception {
        var lost = new ScriptedSession(FakeMessage.of("m1"));
        lost.onSettle(() -> {
            throw new SessionLostException("the reply was lost", new IllegalStateException());
        });
        turn(lost, this::effect).run();
        var again = new ScriptedSession(new FakeMessage("m1", 2));

        turn(again, this::effect).run();

        assertThat(again.log()).containsExactly("complete m1", "close");
        assertThat(effects()).containsExactly("m1");
    }

    @Test
    void a_retry_verdict_rolls_back_and_tries_the_same_message_before_the_next() throws Exception {
        var tries = new AtomicInteger();
        var session = new ScriptedSession(FakeMessage.of("m1"), FakeMessage.of("m2"));

        turn(session, (tx, message) -> {
                    effect(tx, message);
                    return tries.incrementAndGet() < 3 ? Verdict.retry(Duration.ofMillis(1)) : Verdict.done();
                })
                .run();

        assertThat(session.log()).containsExactly("complete m1", "complete m2", "close");
        assertThat(effects()).containsExactly("m1", "m2");
        assertThat(tries).hasValue(4);
    }

    @Test
    void a_dead_letter_verdict_leaves_neither_effects_nor_the_id() throws Exception {
        var session = new ScriptedSession(FakeMessage.of("m1"));
        turn(session, (tx, message) -> {
                    effect(tx, message);
                    return Verdict.deadLetter("BadSchema", "no amount");
                })
                .run();
        assertThat(session.log()).containsExactly("dead-letter m1 BadSchema", "close");
        assertThat(effects()).isEmpty();

        turn(new ScriptedSession(FakeMessage.of("m1")), this::effect).run();

        assertThat(effects()).containsExactly("m1");
    }

    @Test
    void an_exception_is_retried_in_place_and_then_dead_lettered_with_its_type() throws Exception {
        var tries = new AtomicInteger();
        var session = new ScriptedSession(FakeMessage.of("m1"), FakeMessage.of("m2"));
        var briefly = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(50));

        turn(
                        session,
                        (tx, message) -> {
                            if (message.id().equals("m1")) {
                                tries.incrementAndGet();
                                throw new IOException("poison");
                            }
                            return effect(tx, message);
                        },
                        briefly)
                .run();

        assertThat(tries).hasValue(5);
        assertThat(session.log().get(0)).startsWith("dead-letter m1 ").contains("java.io.IOException");
        assertThat(session.log()).endsWith("complete m2", "close");
        assertThat(effects()).containsExactly("m2");
    }

    @Test
    void a_failing_database_never_dead_letters_a_message_nor_lets_the_next_overtake_it() throws Exception {
        var session = new ScriptedSession(FakeMessage.of("m1"), FakeMessage.of("m2"));
        var briefly = new RetryPolicy(Duration.ofNanos(1), Duration.ofNanos(1), Duration.ofMillis(5));

        turn(
                        session,
                        (tx, message) -> {
                            throw new SQLException("terminating connection", "57P01");
                        },
                        briefly)
                .run();

        assertThat(session.log()).containsExactly("close");
    }

    @Test
    void two_deliveries_of_one_message_at_once_have_one_effect() throws Exception {
        var inHandler = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        var first =
                CompletableFuture.runAsync(() -> run(turn(new ScriptedSession(FakeMessage.of("m1")), (tx, message) -> {
                    inHandler.countDown();
                    assertThat(mayGoOn.await(10, TimeUnit.SECONDS)).isTrue();
                    return effect(tx, message);
                })));
        assertThat(inHandler.await(10, TimeUnit.SECONDS)).isTrue();
        var handled = new AtomicInteger();
        var second =
                CompletableFuture.runAsync(() -> run(turn(new ScriptedSession(FakeMessage.of("m1")), (tx, message) -> {
                    handled.incrementAndGet();
                    return effect(tx, message);
                })));

        mayGoOn.countDown();
        CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);

        assertThat(handled).hasValue(0);
        assertThat(effects()).containsExactly("m1");
    }

    @Test
    void consumers_of_different_names_each_handle_the_message() {
        var inbox = Inbox.in(schema);
        dsl.transaction(tx -> {
            assertThat(inbox.firstTime(tx.dsl(), "ledger", "m1")).isTrue();
            assertThat(inbox.firstTime(tx.dsl(), "fraud", "m1")).isTrue();
            assertThat(inbox.firstTime(tx.dsl(), "ledger", "m1")).isFalse();
            assertThat(inbox.firstTime(tx.dsl(), "ledgerm", "1")).isTrue();
        });
    }

    @Test
    void listeners_hear_deliveries_and_why_they_were_settled() throws Exception {
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
        var session = new ScriptedSession(FakeMessage.of("m1"), FakeMessage.of("m1"));

        turn(session, DONE, retries, listener).run();

        assertThat(heard).containsExactly("received m1", "DONE m1", "received m1", "DUPLICATE m1");
    }

    private Verdict effect(DSLContext tx, InboundMessage message) {
        tx.execute("insert into " + schema.table("effect") + " values ({0})", DSL.inline(message.id()));
        return Verdict.done();
    }

    private List<String> effects() {
        return dsl.fetch("select id from " + schema.table("effect") + " order by ctid")
                .getValues(0, String.class);
    }

    private SessionTurn turn(MessageSession session, Handler handler) {
        return turn(session, handler, retries);
    }

    private SessionTurn turn(MessageSession session, Handler handler, RetryPolicy policy) {
        return turn(session, handler, policy, ConsumerListener.SILENT);
    }

    private SessionTurn turn(MessageSession session, Handler handler, RetryPolicy policy, ConsumerListener listener) {
        var transaction = new InboxTransaction(dsl, Inbox.in(schema), "test", handler);
        var messages = new MessageTurn(transaction, policy, pause -> true, listener, () -> clock.getAndAdd(TICK));
        var source = new SessionSource() {
            @Override
            public Optional<MessageSession> acceptNext() {
                return Optional.of(session);
            }

            @Override
            public void stopAccepting() {}

            @Override
            public void close() {}
        };
        return new SessionTurn(source, messages, Duration.ZERO, () -> false);
    }

    private static void run(SessionTurn turn) {
        try {
            turn.run();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
