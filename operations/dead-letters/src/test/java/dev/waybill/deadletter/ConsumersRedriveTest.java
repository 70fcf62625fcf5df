package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.StoredLetters.Place;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldSide;
import dev.waybill.message.MessageContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Re-drives into the hold of one consumer: nothing is lost in it, and the run says what it did. */
@ExtendWith(PostgresExtension.class)
class ConsumersRedriveTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123Z");

    private StoredLetters stored;
    private Redrives redrives;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.consumer("ledger");
        redrives = Redrives.in(database.dataSource(), stored.schema);
    }

    @Test
    void letters_of_two_entities_with_the_same_number_in_the_same_millisecond_are_both_held() throws Exception {
        stored.add("orders-eu", "Bad", new Place(1, AT), inSession("m-eu", "eu"));
        stored.add("orders-us", "Bad", new Place(1, AT), inSession("m-us", "us"));

        RedriveRun run = redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toConsumer("ledger"), WORD);

        assertThat(run.redriven()).isEqualTo(2);
        assertThat(held()).containsExactly("eu", "us");
    }

    /** The table has the text in UTF-8; a consumer would read it by the charset of the content type. */
    @Test
    void a_text_whose_content_type_names_another_charset_is_handed_over_as_utf_8() throws Exception {
        long id = stored.add(
                "orders",
                "Bad",
                inSession("m1", "5 \u20ac").toBuilder()
                        .contentType("text/plain; charset=iso-8859-1")
                        .build());
        stored.execute("update $schema.dead_letter_message set body_kind = 'text' where id = " + id);

        redrive();

        assertThat(stored.texts("select content_type from $schema.inbox_held_message"))
                .containsExactly("text/plain; charset=utf-8");
        assertThat(stored.letters.show(id).orElseThrow().content().contentType())
                .isEqualTo("text/plain; charset=iso-8859-1");
    }

    @Test
    void a_letter_that_was_mended_after_it_failed_in_its_hold_says_there_what_it_says_now() throws Exception {
        long id = stored.add("orders", "Bad", inSession("m1", "broken"));
        stored.add("orders", "Bad", inSession("m2", "behind it"));
        redrive();
        stored.execute("update $schema.inbox_hold set state = 'parked'");
        stored.letters.reopen(DeadLetterFilter.id(id), WORD);
        stored.letters.edit(id, m -> m.withBody(bytes("mended")), WORD);

        RedriveRun run = redrive();

        assertThat(run.redriven()).isEqualTo(1);
        assertThat(held()).containsExactly("mended", "behind it");
    }

    @Test
    void a_letter_that_was_mended_after_it_was_set_aside_says_in_its_own_hold_what_it_says_now() throws Exception {
        long id = stored.add("orders", "Bad", inSession("m1", "broken"));
        redrive();
        stored.execute("update $schema.inbox_hold set message_id = 'm1', state = 'parked'");
        stored.letters.reopen(DeadLetterFilter.id(id), WORD);
        stored.letters.edit(id, m -> m.withBody(bytes("mended")), WORD);

        RedriveRun run = redrive();

        assertThat(run.redriven()).isEqualTo(1);
        assertThat(held()).containsExactly("mended");
        assertThat(stored.texts("select key from $schema.inbox_hold")).containsExactly("1:s/m1");
    }

    @Test
    void a_letter_that_its_consumer_is_handling_at_that_moment_stays_open_and_the_run_says_so() throws Exception {
        long id = stored.add("orders", "Bad", inSession("m1", "broken"));
        redrive();
        var attempts = Attempts.in(stored.schema, HoldSide.INBOX);
        assertThat(attempts.begin(stored.dsl, DSL.trueCondition(), new Attempts.Limits(1, 1, Duration.ofMinutes(1))))
                .hasSize(1);
        stored.letters.reopen(DeadLetterFilter.id(id), WORD);
        stored.letters.edit(id, m -> m.withBody(bytes("mended")), WORD);

        RedriveRun run = redrive();

        assertThat(run.state()).isEqualTo(RedriveRun.State.DONE);
        assertThat(run.redriven()).isZero();
        assertThat(stored.letters.show(id).orElseThrow().state()).isEqualTo(DeadLetter.State.OPEN);
        assertThat(held()).containsExactly("broken");
    }

    @Test
    void an_attempt_that_ran_out_cannot_take_out_what_was_mended_meanwhile() throws Exception {
        long id = stored.add("orders", "Bad", inSession("m1", "broken"));
        redrive();
        var attempts = Attempts.in(stored.schema, HoldSide.INBOX);
        var late = attempts.begin(stored.dsl, DSL.trueCondition(), new Attempts.Limits(1, 1, Duration.ZERO))
                .get(0);
        stored.letters.reopen(DeadLetterFilter.id(id), WORD);
        stored.letters.edit(id, m -> m.withBody(bytes("mended")), WORD);
        redrive();

        boolean settled = stored.dsl.transactionResult(
                tx -> attempts.done(tx.dsl(), late, late.messages().get(0)));

        assertThat(settled).isFalse();
        assertThat(held()).containsExactly("mended");
    }

    @Test
    void a_consumer_that_nobody_knows_is_refused_in_the_dry_run() {
        stored.add("orders", "Bad", inSession("m1", "x"));
        var order = RedriveRequest.toConsumer("legder");

        assertThat(redrives.plan(DeadLetterFilter.open(), order).obstacles())
                .singleElement()
                .asString()
                .contains("no consumer of the name 'legder'");
        assertThatThrownBy(() -> redrives.begin(DeadLetterFilter.open(), order, WORD))
                .isInstanceOf(RedriveRefusedException.class);
        assertThat(stored.texts("select state from $schema.dead_letter")).containsExactly("open");
    }

    @Test
    void a_consumer_counts_as_known_by_each_trace_that_it_leaves() {
        stored.add("orders", "Bad", inSession("m1", "x"));
        stored.execute("insert into $schema.inbox_instance (longest_attempt, id, consumer, alive_until)"
                + " values (60000, gen_random_uuid(), 'running', clock_timestamp())");
        stored.execute("insert into $schema.inbox_message (key, consumer, message_id)"
                + " values (gen_random_uuid(), 'stopped', 'm0')");

        for (String name : new String[] {"ledger", "running", "stopped"}) {
            assertThat(redrives.plan(DeadLetterFilter.open(), RedriveRequest.toConsumer(name))
                            .isPossible())
                    .isTrue();
        }
    }

    @Test
    void letters_of_another_entity_than_the_consumer_receives_from_are_refused_with_both_names() {
        stored.add("orders", "Bad", inSession("m1", "x"));
        receives("bills-only", "bills");
        receives("mine", "Orders");
        receives("both", "orders");
        receives("both", "bills");

        assertThat(obstacles("bills-only")).singleElement().asString().contains("'bills-only'", "'bills'", "'orders'");
        assertThatThrownBy(() -> redrives.begin(DeadLetterFilter.open(), RedriveRequest.toConsumer("bills-only"), WORD))
                .isInstanceOf(RedriveRefusedException.class);
        assertThat(obstacles("mine")).isEmpty();
        assertThat(obstacles("both")).isEmpty();
        stored.execute("update $schema.inbox_instance set alive_until = alive_until - interval '1 minute'");
        assertThat(obstacles("bills-only")).as("the last one").hasSize(1);
    }

    @Test
    void letters_of_the_former_entity_of_a_destination_go_to_the_consumer_of_the_new_one() {
        stored.add("orders", "Bad", inSession("m1", "x"));
        receives("shop", "orders-2");
        assertThat(obstacles("shop")).hasSize(1);

        stored.execute("insert into $schema.outbox_destination (destination, entity, former_entities)"
                + " values ('orders', 'orders-2', '{orders}')");

        assertThat(obstacles("shop")).isEmpty();
    }

    private java.util.List<String> obstacles(String consumer) {
        return redrives.plan(DeadLetterFilter.open(), RedriveRequest.toConsumer(consumer))
                .obstacles();
    }

    private void receives(String consumer, String entity) {
        stored.execute("insert into $schema.inbox_instance (longest_attempt, id, consumer, entity, alive_until)"
                + " values (60000, gen_random_uuid(), '" + consumer + "', '" + entity
                + "', clock_timestamp() + interval '10 seconds')");
    }

    private RedriveRun redrive() throws InterruptedException {
        return redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toConsumer("ledger"), WORD);
    }

    private java.util.List<String> held() {
        return stored.texts("select convert_from(payload, 'UTF8') from $schema.inbox_held_message order by place");
    }

    private static MessageContent inSession(String id, String body) {
        return MessageContent.of(id, "s", bytes(body));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
