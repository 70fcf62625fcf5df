package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.json.JsonBodies;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(PostgresExtension.class)
class HandlersTest {
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_message_goes_to_the_handler_of_its_subject_and_one_without_is_refused_unless_told_otherwise() {
        var strict = SubjectHandlers.builder().on("Known", inbox::effect).build();
        var lenient = SubjectHandlers.builder()
                .on("", inbox::effect)
                .otherwise(SubjectHandlers.IGNORE)
                .build();

        var refused = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        inbox.turn(refused, strict).run();
        assertThat(refused.log()).containsExactly("dead-letter m1 UnknownSubject", "close");
        assertThat(inbox.effects()).isEmpty();

        inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m1")), lenient).run();
        assertThat(inbox.effects()).containsExactly("m1");
        assertThatThrownBy(() -> SubjectHandlers.builder().on("a", strict).on("a", lenient))
                .hasMessageContaining("two handlers");
    }

    @Test
    void a_body_that_is_no_json_has_failed_at_once_and_one_that_is_arrives_as_an_object() {
        Handler json = JsonBodies.with(new ObjectMapper()).as(int[].class, (tx, message, body) -> {
            assertThat(body).hasSize(2);
            return inbox.effect(tx, message);
        });
        var receiver =
                ScriptedReceiver.ofSession(FakeMessage.of("[1,2]"), FakeMessage.of("no"), FakeMessage.of("null"));

        inbox.turn(receiver, json).run();

        assertThat(receiver.log())
                .containsExactly(
                        "complete [1,2]",
                        "dead-letter no com.fasterxml.jackson.core.JsonParseException",
                        "dead-letter null EmptyBody",
                        "close");
    }

    /** Of several facts in one body the first would be handled, and the others lost. */
    @ParameterizedTest
    @ValueSource(strings = {"[1,2]\n[3,4]", "[1,2][3,4]", "[1,2] garbage", "[1,2]]"})
    void a_body_of_several_values_is_not_handled_as_its_first(String body) {
        Handler json =
                JsonBodies.with(new ObjectMapper()).as(int[].class, (tx, message, read) -> inbox.effect(tx, message));
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of(body));

        inbox.turn(receiver, json).run();

        assertThat(inbox.effects()).isEmpty();
        assertThat(receiver.log()).hasSize(2).first().asString().startsWith("dead-letter ");
    }

    @Test
    void a_handler_may_work_on_the_plain_connection_of_the_transaction() {
        inbox.turn(
                        ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m1")),
                        Handler.onConnection((tx, message) -> {
                            try (var insert = tx.prepareStatement(
                                    "insert into " + inbox.schema.table("effect") + " (id) values (?)")) {
                                insert.setString(1, message.id());
                                insert.executeUpdate();
                            }
                            return Verdict.done();
                        }))
                .run();

        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void what_a_handler_appends_is_published_exactly_if_its_message_is_done() {
        var outbox = Outbox.builder().schema(inbox.schema).build();
        var tries = new AtomicInteger();
        Handler transform = (tx, message) -> {
            outbox.append(
                    tx,
                    OutboxMessage.to("next")
                            .session("s")
                            .id("next-" + message.id())
                            .text(message.text())
                            .build());
            return tries.incrementAndGet() == 1 ? Verdict.retry(Duration.ofMillis(1)) : Verdict.done();
        };

        inbox.turn(
                        ScriptedReceiver.ofSession(
                                FakeMessage.of("m1"), new FakeMessage("m1", 2), FakeMessage.of("m2")),
                        transform)
                .run();

        assertThat(inbox.dsl
                        .fetch("select message_id from " + inbox.schema.table("outbox_message") + " order by seq")
                        .getValues(0, String.class))
                .containsExactly("next-m1", "next-m2");
    }

    @Test
    void a_request_that_comes_again_gets_the_first_answer_and_has_no_second_effect() {
        var memory = Inbox.in(inbox.schema);
        var answers = new AtomicInteger();

        for (int request = 0; request < 3; request++) {
            Response response = inbox.dsl.transactionResult(tx -> memory.once(tx.dsl(), "POST /debits", "key-1", () -> {
                inbox.effect(tx.dsl(), FakeMessage.of("debit"));
                return new Response(
                        201, "text/plain", ("answer " + answers.incrementAndGet()).getBytes(StandardCharsets.UTF_8));
            }));
            assertThat(response.status()).isEqualTo(201);
            assertThat(new String(response.body(), StandardCharsets.UTF_8)).isEqualTo("answer 1");
        }

        assertThat(inbox.effects()).containsExactly("debit");
    }

    @Test
    void a_session_s_state_changes_with_the_effects_and_never_over_somebody_elses() {
        var states = SessionState.in(inbox.schema);
        Handler counts = (tx, message) -> {
            var before = states.load(tx, "test", "s");
            int count = before.map(state -> Integer.parseInt(state.text())).orElse(0);
            states.store(
                    tx,
                    "test",
                    "s",
                    before.map(SessionState.Versioned::version).orElse(0L),
                    String.valueOf(count + 1).getBytes(StandardCharsets.UTF_8));
            return message.id().equals("no") ? Verdict.deadLetter("No", "no") : Verdict.done();
        };

        inbox.turn(
                        ScriptedReceiver.ofSession(
                                FakeMessage.of("m1"), FakeMessage.of("no"), FakeMessage.of("m1"), FakeMessage.of("m2")),
                        counts)
                .run();

        var state = states.load(inbox.dsl, "test", "s").orElseThrow();
        assertThat(state.text()).isEqualTo("2");
        assertThatThrownBy(() -> states.store(inbox.dsl, "test", "s", state.version() - 1, new byte[0]))
                .isInstanceOf(StaleStateException.class)
                .satisfies(stale ->
                        assertThat(FailurePolicy.STANDARD.classify(stale)).contains(FailureKind.TRANSIENT));
        states.clear(inbox.dsl, "test", "s", state.version());
        assertThat(states.load(inbox.dsl, "test", "s")).isEmpty();
    }
}
