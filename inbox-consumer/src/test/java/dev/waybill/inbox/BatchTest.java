package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class BatchTest {
    private final Set<Long> transactions = new HashSet<>();
    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_batch_is_one_transaction_with_each_message_recorded_and_completed_for_itself() {
        var receiver = session("m1", "m2", "m3", "m4", "m5");
        receiver.onSettle(() -> assertThat(inbox.recorded()).contains("m1", "m2", "m3"));

        run(receiver, this::effect);

        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3", "m4", "m5");
        assertThat(transactions).hasSize(2);
        assertThat(receiver.log())
                .containsExactly("complete m1", "complete m2", "complete m3", "complete m4", "complete m5", "close");
    }

    @Test
    void duplicates_in_a_batch_have_no_second_effect() {
        run(session("m1"), this::effect);

        var receiver = session("m1", "m2", "m2");
        run(receiver, this::effect);

        assertThat(inbox.effects()).containsExactly("m1", "m2");
        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m2", "close");
    }

    @Test
    void a_message_that_fails_in_a_batch_is_tried_alone_and_takes_no_other_with_it() {
        var failures = new ArrayList<String>();
        var receiver = session("m1", "bad", "m3", "m4");

        run(receiver, (tx, message) -> {
            effect(tx, message);
            if (message.id().equals("bad")) {
                failures.add(message.id());
                throw new IOException("poison");
            }
            return Verdict.done();
        });

        assertThat(failures).hasSizeGreaterThan(1);
        assertThat(receiver.log())
                .containsExactly(
                        "complete m1", "dead-letter bad java.io.IOException", "complete m3", "complete m4", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m3", "m4");
        assertThat(inbox.recorded()).containsExactlyInAnyOrder("m1", "m3", "m4");
    }

    @Test
    void a_verdict_other_than_done_in_a_batch_leaves_neither_effects_nor_the_id() {
        var receiver = session("m1", "bad", "m3");

        run(receiver, (tx, message) -> {
            effect(tx, message);
            return message.id().equals("bad") ? Verdict.deadLetter("No", "no") : Verdict.done();
        });

        assertThat(inbox.effects()).containsExactly("m1", "m3");
        assertThat(inbox.recorded()).containsExactlyInAnyOrder("m1", "m3");
        assertThat(receiver.log()).contains("dead-letter bad No");
    }

    @Test
    void a_handler_that_swallows_a_database_error_in_a_batch_costs_no_message_its_effect() {
        for (String swallowing : List.of("m1", "m2", "m3")) {
            inbox.dsl.execute("truncate " + inbox.schema.table("effect") + ", " + inbox.schema.table("inbox_message"));
            var receiver = session("m1", "m2", "m3");

            run(receiver, (tx, message) -> {
                effect(tx, message);
                if (message.id().equals(swallowing)) {
                    assertThatThrownBy(() -> tx.execute("select 1 / 0")).isNotNull();
                }
                return Verdict.done();
            });

            var others = new ArrayList<>(List.of("m1", "m2", "m3"));
            others.remove(swallowing);
            assertThat(inbox.effects()).containsExactlyElementsOf(others);
            assertThat(receiver.log()).doesNotContain("complete " + swallowing).contains("complete " + others.get(1));
        }
    }

    @Test
    @Tag("long")
    void a_batch_whose_session_is_lost_commits_nothing() {
        var receiver = session("m1", "m2", "m3");

        run(receiver, (tx, message) -> {
            if (message.id().equals("m2")) {
                receiver.lose();
            }
            return effect(tx, message);
        });

        assertThat(inbox.effects()).isEmpty();
        assertThat(receiver.log()).containsExactly("close");
    }

    @Test
    void messages_behind_a_held_one_join_its_hold_also_from_a_batch() {
        var receiver = session("m1", "bad", "m3", "m4");

        inbox.turn(
                        receiver,
                        (tx, message) ->
                                message.id().equals("bad") ? Verdict.deadLetter("No", "no") : effect(tx, message),
                        settings -> {
                            settings.batch = 3;
                            settings.onFailure = OnFailure.HOLD_SESSION;
                        })
                .run();

        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.count("inbox_held_message")).isEqualTo(3);
        assertThat(inbox.recorded()).containsExactly("m1");
    }

    private Verdict effect(DSLContext tx, InboundMessage message) {
        transactions.add(
                tx.fetchSingle("select pg_current_xact_id()::text::bigint").get(0, Long.class));
        return inbox.effect(tx, message);
    }

    private void run(ScriptedReceiver receiver, Handler handler) {
        inbox.turn(receiver, handler, settings -> {
                    settings.batch = 3;
                    settings.retries =
                            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));
                })
                .run();
    }

    private static ScriptedReceiver session(String... ids) {
        var messages = new ArrayList<InboundMessage>();
        for (String id : ids) {
            messages.add(new FakeMessage(id, 1, messages.size() + 1));
        }
        return ScriptedReceiver.ofSession(messages.toArray(InboundMessage[]::new));
    }
}
