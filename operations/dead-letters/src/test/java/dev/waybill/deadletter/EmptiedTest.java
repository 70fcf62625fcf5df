package dev.waybill.deadletter;

import static dev.waybill.deadletter.StoredLetters.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import java.io.BufferedReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A content that was taken out of a dead letter is gone, and nothing is sent in its place. */
@ExtendWith(PostgresExtension.class)
class EmptiedTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");

    private StoredLetters stored;
    private DeadLetterArchive archive;
    private Redrives redrives;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.served("orders");
        archive = DeadLetterArchive.in(database.dataSource(), stored.schema);
        redrives = Redrives.in(database.dataSource(), stored.schema);
    }

    @Test
    void a_redacted_letter_cannot_be_redriven_nor_edited() {
        long id = stored.add("m1", "body");
        archive.redact(DeadLetterFilter.id(id), WORD);

        cannotGo("redacted");
        assertThatThrownBy(() -> stored.letters.edit(id, m -> m.withBody(new byte[] {1}), WORD))
                .hasMessageContaining("redacted");
        assertThat(stored.letters.show(id).orElseThrow().lifecycle().emptied()).isEqualTo(EmptiedReason.REDACTED);
    }

    @Test
    void an_archived_letter_that_was_redacted_and_restored_cannot_be_redriven() {
        stored.add("m1", "body");
        archive.archive(DeadLetterFilter.open(), Duration.ofDays(1), WORD);
        archive.redact(DeadLetterFilter.everything(), WORD);
        archive.restore(DeadLetterFilter.everything(), WORD);

        cannotGo("redacted");
    }

    @Test
    @Tag("long")
    void an_archived_letter_comes_through_export_and_import_as_what_it_is_without_its_body(TestDatabase database)
            throws Exception {
        stored.add("m1", "body");
        archive.archive(DeadLetterFilter.open(), Duration.ofDays(1), WORD);
        var lines = new StringWriter();
        var exchange = DeadLetterExchange.in(database.dataSource(), stored.schema);
        exchange.export(DeadLetterFilter.everything(), lines);
        archive.erase(DeadLetterFilter.everything(), WORD);

        assertThat(exchange.importFrom(new BufferedReader(new StringReader(lines.toString())), WORD))
                .isEqualTo(1);

        DeadLetter imported = stored.all().get(0);
        assertThat(imported.state()).isEqualTo(DeadLetter.State.DISCARDED);
        assertThat(imported.lifecycle().emptied()).isEqualTo(EmptiedReason.WITHOUT_BODY);
        stored.letters.reopen(DeadLetterFilter.everything(), WORD);
        cannotGo("imported without its body");
    }

    @Test
    void redaction_takes_every_text_but_ids_session_and_reason() {
        var content = MessageContent.builder("m1")
                .sessionId("s")
                .partitionKey("Alice p")
                .subject("Alice s")
                .contentType("Alice t")
                .correlationId("Alice c")
                .toAddress("Alice to")
                .replyTo("Alice r")
                .replyToSessionId("Alice rs")
                .headers("{\"name\":\"Alice\",\"waybill-source\":\"shop\"}")
                .body("Alice".getBytes(StandardCharsets.UTF_8))
                .build();
        long id = stored.add("orders", "Bad", content);
        stored.letters.edit(id, m -> m.withBody(new byte[1]), WORD);

        archive.redact(DeadLetterFilter.everything(), WORD);

        assertThat(stored.texts("select d::text from $schema.dead_letter d"))
                .singleElement()
                .asString()
                .doesNotContain("Alice")
                .doesNotContain("416c696365")
                .contains("m1", "Bad", "shop");
        assertThat(stored.texts("select dead_letter from $schema.dead_letter_version"))
                .isEmpty();
    }

    @Test
    void redaction_lets_go_of_the_body_that_is_kept_outside() {
        UUID kept = claim("m1", "published");
        UUID shared = claim("m2", "published");
        stored.add("orders", "Bad", content("m1", "").withProperties(Map.of("waybill-claim", kept.toString())));
        stored.add("orders", "Bad", content("m2", "").withProperties(Map.of("waybill-claim", shared.toString())));
        stored.add("others", "Bad", content("m2", "").withProperties(Map.of("waybill-claim", shared.toString())));

        archive.redact(DeadLetterFilter.everything().entity("orders"), WORD);

        assertThat(stored.texts("select d::text from $schema.dead_letter d where entity = 'orders'"))
                .noneMatch(row -> row.contains(kept.toString()) || row.contains(shared.toString()));
        assertThat(stored.texts("select message_id from $schema.outbox_claim where state = 'removing'"))
                .containsExactly("m1");
    }

    @Test
    void a_letter_that_is_redacted_while_its_run_is_under_way_stays_and_nothing_is_sent() throws Exception {
        stored.consumer("ledger");
        for (RedriveRequest order : List.of(RedriveRequest.toSource(), RedriveRequest.toConsumer("ledger"))) {
            long redacted = stored.add("m1", "body");
            stored.add("m2", "body");
            long run = redrives.begin(DeadLetterFilter.open(), order, WORD);
            archive.redact(DeadLetterFilter.id(redacted), WORD);

            RedriveRun done = redrives.finish(run);

            assertThat(done.redriven()).isEqualTo(1);
            DeadLetter left = stored.letters.show(redacted).orElseThrow();
            assertThat(left.state()).isEqualTo(DeadLetter.State.OPEN);
            assertThat(left.lifecycle().emptied()).isEqualTo(EmptiedReason.REDACTED);
            archive.erase(DeadLetterFilter.everything(), WORD);
        }
        assertThat(stored.texts("select message_id from $schema.outbox_message"))
                .containsExactly("m2");
        assertThat(stored.texts("select message_id from $schema.inbox_held_message"))
                .containsExactly("m2");
    }

    private UUID claim(String message, String state) {
        UUID claim = UUID.randomUUID();
        stored.execute(
                "insert into $schema.outbox_claim (digest, claim, destination, message_id, bytes, state) values (gen_random_uuid(), '"
                        + claim + "', 'orders', '" + message + "', 1, '" + state + "')");
        return claim;
    }

    private void cannotGo(String because) {
        assertThat(redrives.plan(DeadLetterFilter.open(), RedriveRequest.toSource())
                        .obstacles())
                .singleElement()
                .asString()
                .contains(because);
        assertThatThrownBy(() -> redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD))
                .isInstanceOf(RedriveRefusedException.class);
        assertThat(stored.texts("select message_id from $schema.outbox_message"))
                .isEmpty();
    }
}
