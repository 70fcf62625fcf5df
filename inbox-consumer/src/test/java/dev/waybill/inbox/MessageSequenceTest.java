package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.WorkerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages read ahead, each in a transaction that begins in the round trip that commits the one before. */
@ExtendWith(PostgresExtension.class)
class MessageSequenceTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));

    InboxFixture inbox;

    /** Handlers that take no time. */
    private void stopTheClock() {
        inbox.workerClock = new WorkerClock(inbox.clock::get, pause -> !inbox.stopping.get());
    }

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void every_message_has_its_own_transaction_and_the_broker_hears_nothing_while_one_is_open() {
        var transactions = new HashSet<Long>();
        var recordedWhenSettled = new ArrayList<Integer>();
        stopTheClock();
        var receiver = session("m1", "m2", "m3");
        receiver.onSettle(() -> {
            assertThat(openTransactions()).isZero();
            recordedWhenSettled.add(inbox.recorded().size());
        });

        inbox.turn(receiver, (tx, message) -> {
                    assertThat(openTransactions()).isOne();
                    transactions.add(tx.fetchSingle("select pg_current_xact_id()::text::bigint")
                            .get(0, Long.class));
                    return inbox.effect(tx, message);
                })
                .run();

        assertThat(transactions).hasSize(3);
        assertThat(recordedWhenSettled).containsExactly(3, 3, 3);
        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m3", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void a_commit_that_fails_takes_no_other_message_with_it() {
        inbox.dsl.execute("create table " + inbox.schema.table("known") + " (id text primary key)");
        inbox.dsl.execute("alter table " + inbox.schema.table("effect") + " add foreign key (id) references "
                + inbox.schema.table("known") + " deferrable initially deferred");
        inbox.dsl.execute("insert into " + inbox.schema.table("known") + " values ('m1'), ('m3')");
        var receiver = session("m1", "unknown", "m3");

        inbox.turn(receiver, inbox::effect, settings -> settings.retries = BRIEFLY)
                .run();

        assertThat(inbox.effects()).containsExactly("m1", "m3");
        assertThat(inbox.recorded()).containsExactly("m1", "m3");
        // The reason names the exception's class, and managers have exceptions of their own.
        assertThat(receiver.log()).hasSize(4).startsWith("complete m1").endsWith("complete m3", "close");
        assertThat(receiver.log().get(1)).startsWith("dead-letter unknown ");
    }

    @Test
    void a_next_message_that_somebody_else_is_handling_costs_the_one_before_neither_its_effect_nor_its_completion() {
        var receiver = session("m1", "m2");
        stopTheClock();
        inbox.dsl.transaction(other -> {
            Inbox.in(inbox.schema).firstTime(other.dsl(), "test", "m2");

            inbox.turn(receiver, inbox::effect, settings -> {
                        settings.lockTimeout = Duration.ofMillis(50);
                        settings.retries = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO);
                    })
                    .run();
        });

        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(receiver.log()).containsExactly("complete m1", "close");
    }

    @Test
    void a_next_message_whose_session_was_held_meanwhile_joins_the_hold() {
        var receiver = session("m1", "bad", "m3", "m4");

        inbox.turn(
                        receiver,
                        (tx, message) ->
                                message.id().equals("bad") ? Verdict.deadLetter("No", "no") : inbox.effect(tx, message),
                        settings -> settings.onFailure = OnFailure.HOLD_SESSION)
                .run();

        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.recorded()).containsExactly("m1");
        assertThat(inbox.count("inbox_held_message")).isEqualTo(3);
        assertThat(receiver.log()).contains("complete m1", "complete bad", "complete m3", "complete m4");
    }

    @Test
    void a_consumer_that_stops_leaves_to_its_session_what_it_has_read_ahead() {
        var receiver = session("m1", "m2", "m3");

        inbox.turn(receiver, (tx, message) -> {
                    inbox.stopping.set(true);
                    return inbox.effect(tx, message);
                })
                .run();

        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(openTransactions()).isZero();
    }

    @Test
    void a_lock_lost_between_two_messages_leaves_neither_an_effect_nor_a_transaction() {
        stopTheClock();
        var receiver = session("m1", "m2");
        var listener = new ConsumerListener() {
            @Override
            public void received(InboundMessage message) {
                if (message.id().equals("m2")) {
                    receiver.lose();
                }
            }
        };

        inbox.turn(receiver, inbox::effect, settings -> settings.listener = listener)
                .run();

        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.recorded()).containsExactly("m1");
        assertThat(openTransactions()).isZero();
        inbox.turn(session("m1", "m2"), inbox::effect).run();
        assertThat(inbox.effects()).containsExactly("m1", "m2");
    }

    @Test
    void slow_handlers_keep_no_completion_waiting() {
        var recordedWhenSettled = new ArrayList<Integer>();
        stopTheClock();
        var receiver = session("m1", "m2", "m3", "m4");
        receiver.onSettle(() -> recordedWhenSettled.add(inbox.recorded().size()));

        inbox.turn(receiver, (tx, message) -> {
                    inbox.clock.addAndGet(Duration.ofSeconds(1).toNanos());
                    return inbox.effect(tx, message);
                })
                .run();

        assertThat(recordedWhenSettled).containsExactly(2, 2, 3, 4);
    }

    @Test
    void a_receiver_that_ends_while_a_message_is_handled_takes_neither_its_effect_nor_its_completion() {
        stopTheClock();
        var receiver = session("m1", "m2");
        receiver.endsBefore("m2");

        inbox.turn(receiver, inbox::effect).run();

        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(receiver.log()).startsWith("complete m1");
    }

    private int openTransactions() {
        return inbox.dsl
                .fetchSingle(
                        "select count(*) from pg_stat_activity where state like 'idle in transaction%' and query like {0}",
                        DSL.val("%" + inbox.schema + "%"))
                .get(0, Integer.class);
    }

    private static ScriptedReceiver session(String... ids) {
        var messages = new ArrayList<InboundMessage>();
        for (String id : ids) {
            messages.add(new FakeMessage(id, 1, messages.size() + 1));
        }
        return ScriptedReceiver.ofSession(messages.toArray(InboundMessage[]::new));
    }
}
