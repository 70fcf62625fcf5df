package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that look like a success, or show what nobody asked for. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class HonestAnswersTest {
    @TempDir
    private Path directory;

    private Program program;
    private Path body;

    @BeforeEach
    void collect(TestDatabase database) throws Exception {
        Program.tables(database);
        program = Program.with(
                directory, Program.database(database) + "destination: { orders: {}, events: { type: topic } }\n");
        body = Files.writeString(directory.resolve("body.txt"), "secret-after");
        for (String entity : new String[] {"orders", "events/Subscriptions/all"}) {
            database.execute("""
                    with m as (
                      insert into %1$s.dead_letter_message
                        (key, entity, sequence_number, enqueued_at, message_id, headers, payload)
                      values (gen_random_uuid(), '%2$s', 1, clock_timestamp(), 'm1', '{"n": 5, "flag": true}', 'secret-before')
                      returning id)
                    insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                    """.formatted(database.schema(), entity));
        }
    }

    @Test
    void an_edit_and_a_trace_show_no_body_without_being_asked() {
        Result dry = program.run("dlq", "edit", "1", "--body-file", body.toString(), "--dry-run");
        assertThat(dry.exitCode()).as(dry.err()).isZero();
        assertThat(dry.out())
                .contains("FIELD", "BEFORE", "AFTER", "13 bytes", "12 bytes")
                .doesNotContain("secret");

        for (String line : new String[] {
            "dlq edit 1 --body-file " + body + " --reason r",
            "dlq show 1",
            "dlq show 1 --json",
            "trace m1",
            "trace m1 --json"
        }) {
            Result result = program.run(line.split(" ", -1));
            assertThat(result.exitCode()).as(line + result.err()).isZero();
            assertThat(result.out()).as(line).doesNotContain("secret");
        }
        assertThat(program.run("dlq", "show", "1", "--body").out()).contains("secret-after");
    }

    @Test
    void an_edit_by_text_keeps_a_number_a_number() {
        Result edit = program.run("dlq", "edit", "1", "--property", "n=6", "--reason", "r");
        assertThat(edit.exitCode()).as(edit.err()).isZero();
        assertThat(edit.out()).contains("{\"n\":6}");

        assertThat(program.run("dlq", "edit", "1", "--property", "flag=yes", "--reason", "r"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).isEqualTo(2);
                    assertThat(result.err()).contains("'flag'", "type Boolean", "'yes'");
                });
    }

    @Test
    void a_redaction_of_a_misspelt_field_is_no_success_and_a_repeat_of_a_redaction_is(TestDatabase database)
            throws Exception {
        database.execute("update %s.dead_letter_message set payload = '{\"customer\": {\"email\": \"x\"}}'"
                .formatted(database.schema()));
        for (String misspelt : new String[] {"property:flagg", "body:/customer/emial", "subject"}) {
            assertThat(redact("1", misspelt)).satisfies(result -> {
                assertThat(result.exitCode()).as(misspelt + result.err()).isEqualTo(10);
                assertThat(result.out()).contains("found: 1", "redacted: 0");
                assertThat(result.err()).contains("no letter of the choice has " + misspelt, "dlq show");
            });
        }
        for (String turn : new String[] {"first", "repeat"}) {
            Result result = redact("1", "property:FLAG");
            assertThat(result.exitCode()).as(turn + result.err()).isZero();
            assertThat(result.err()).as(turn).isEmpty();
        }
        assertThat(redact("1", "property:flag").exitCode())
                .as("a repeat in another case")
                .isZero();
        assertThat(redact("1", "property:flagg").exitCode())
                .as("misspelt behind a redaction")
                .isEqualTo(10);
        assertThat(redact("2", "property:flag").out()).as("the other letter").contains("redacted: 1");
        assertThat(program.run("dlq", "redact", "--id", "1", "--reason", "r", "--yes")
                        .exitCode())
                .isZero();
        assertThat(redact("1", "property:n").exitCode())
                .as("gone with all content")
                .isZero();
    }

    private Result redact(String id, String field) {
        return program.run("dlq", "redact", "--id", id, "--field", field, "--reason", "r", "--yes");
    }

    @Test
    void a_second_redrive_says_what_the_letter_is(TestDatabase database) throws Exception {
        database.execute(
                "update %s.dead_letter_state set state = 'redriven' where id = 1".formatted(database.schema()));
        Result again = program.run("dlq", "redrive", "--id", "1", "--reason", "r");

        assertThat(again.exitCode()).as("nothing to change").isZero();
        assertThat(again.err()).contains("dead letter 1 is redriven");
    }

    @Test
    void a_redrive_into_a_topic_says_what_the_broker_does_with_copies_that_nobody_takes() {
        Result plan = program.run("dlq", "redrive", "--id", "1", "--to-entity", "events", "--dry-run");

        assertThat(plan.err()).contains("'events' is a topic", "no subscription takes");
        assertThat(program.run("dlq", "redrive", "--id", "1", "--dry-run").err())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--id a --session \u00c9mile, lower case",
        "--id m~00000000000000000000000000, re-drives",
        "--id a --session LONG, 128"
    })
    void a_message_by_hand_obeys_the_limits_of_an_append(String options, String said) {
        Result result =
                program.run(("lab append orders --text b " + options.replace("LONG", "s".repeat(129))).split(" ", -1));

        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains(said).doesNotContain("Exception", "\tat ");
    }

    /** What fills the file may have failed, and a script would go on. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "\uFEFF", "\uFEFF \r\n"})
    void an_import_of_a_file_without_lines_is_no_success(String content) throws Exception {
        Path file = Files.writeString(directory.resolve("empty.jsonl"), content);
        for (String line : new String[] {
            "dlq import FILE --reason r", "dlq import FILE --dry-run --reason r", "erasures import FILE"
        }) {
            Result result = program.run(line.replace("FILE", file.toString()).split(" ", -1));
            assertThat(result.exitCode()).as(line + result.out()).isEqualTo(2);
            assertThat(result.err()).as(line).contains("no line").doesNotContain("Exception");
        }
    }

    @Test
    void an_edit_from_an_empty_file_does_not_empty_the_body() throws Exception {
        Path file = Files.writeString(directory.resolve("empty.json"), "");

        Result edit = program.run("dlq", "edit", "1", "--body-file", file.toString(), "--reason", "r");

        assertThat(edit.exitCode()).as(edit.out()).isEqualTo(2);
        assertThat(edit.err()).contains("empty.json", "empty");
        assertThat(program.run("dlq", "show", "1", "--body").out()).contains("secret-before");
    }

    @Test
    void a_replay_of_nothing_says_so_and_of_an_unknown_session_it_is_no_success() {
        Result none = program.run("replay", "start", "orders", "--reason", "r");
        assertThat(none.exitCode()).isZero();
        assertThat(none.err()).contains("'orders'", "retain");

        Result unknown = program.run("replay", "start", "orders", "--session", "nobody", "--reason", "r");
        assertThat(unknown.exitCode()).as(unknown.out()).isEqualTo(3);
        assertThat(unknown.err()).contains("nobody");
    }

    @Test
    void a_replay_that_copies_fewer_messages_than_it_counted_is_no_success(TestDatabase database) throws Exception {
        database.execute("""
                insert into %1$s.outbox_published (seq, destination, message_id, payload, created_at)
                values (1, 'orders', 'm1', '', clock_timestamp());
                create function %1$s.ends() returns trigger language plpgsql as
                'begin new.state := ''abandoned''; return new; end';
                create trigger ends before insert on %1$s.outbox_replay for each row execute function %1$s.ends()
                """.formatted(database.schema()));

        Result fewer = program.run("replay", "start", "orders", "--reason", "r", "--yes");

        assertThat(fewer.exitCode()).as(fewer.out()).isEqualTo(10);
        assertThat(fewer.err()).contains("0 of 1 messages were replayed");
    }

    @Test
    void an_argument_that_begins_with_an_at_sign_is_no_file(TestDatabase database) throws Exception {
        for (String text : new String[] {"@@mention", "@" + body, "@nofile"}) {
            Result appended = program.run("lab", "append", "orders", "--id", text, "--session", "@s", "--text", text);

            assertThat(appended.exitCode()).as(appended.err()).isZero();
            assertThat(DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                            .fetchValue(
                                    "select count(*) from " + database.schema()
                                            + ".outbox_message where message_id = {0} and session_id = '@s'"
                                            + " and payload = convert_to({0}, 'UTF8')",
                                    DSL.val(text)))
                    .as(text)
                    .isEqualTo(1L);
        }
    }

    @Test
    void an_entity_is_found_in_any_spelling_and_by_the_name_of_its_destination(TestDatabase database) {
        for (String entity : new String[] {"orders", "Orders", "ORDERS"}) {
            assertThat(program.run("dlq", "list", "--entity", entity).out())
                    .as(entity)
                    .contains("m1");
        }
        assertThat(program.run("dlq", "list", "--entity", "Events/subscriptions/ALL")
                        .out())
                .contains("m1");
        Program renamed = Program.with(
                directory,
                Program.database(database) + "destination: { shop: { entity: orders }, empty: { entity: other } }\n");
        assertThat(renamed.run("dlq", "list", "--entity", "shop").out()).contains("m1");
        assertThat(renamed.run("dlq", "list", "--entity", "empty").out()).contains("There are none.");
        assertThat(renamed.run("dlq", "list", "--entity", "ordrs").err()).contains("did you mean 'orders'?");
        assertThat(renamed.run("dlq", "discard", "--entity", "ORDERS", "--yes", "--reason", "r")
                        .out())
                .contains("discarded: 1");
    }

    @Test
    void an_empty_text_of_an_unset_variable_is_no_filter() {
        for (String filter : new String[] {"--because", "--session", "--message", "--entity", "--subject"}) {
            Result refused = program.run("dlq", "discard", filter, "", "--yes", "--reason", "r");

            assertThat(refused.exitCode()).as(filter + refused.out()).isEqualTo(2);
        }
    }

    @Test
    void a_name_in_capitals_is_nearer_to_itself_than_to_another_one() {
        Result paused = program.run("relay", "pause", "EVENTS", "--reason", "r");

        assertThat(paused.exitCode()).isEqualTo(3);
        assertThat(paused.err()).contains("did you mean 'events'?");
    }

    @Test
    void a_word_or_an_order_that_nobody_knows_is_not_answered_by_nothing() {
        assertThat(program.run("audit", "--action", "discard").err()).contains("The audit has no action 'discard'");
        program.run("dlq", "discard", "--id", "1", "--yes", "--reason", "r");

        assertThat(program.run("audit", "--action", "Discard").out()).contains("dead letter 1");
        Result unknown = program.run("audit", "--action", "discrad");
        assertThat(unknown.exitCode()).isEqualTo(3);
        assertThat(unknown.err()).contains("'discrad'; it has discard");
        assertThat(program.run("erasures", "lift", "--message", "nope", "--reason", "r")
                        .exitCode())
                .isEqualTo(3);
    }

    @Test
    void a_dry_run_of_an_edit_refuses_what_the_edit_refuses(TestDatabase database) throws Exception {
        database.execute("""
                with h as (
                  insert into %1$s.outbox_hold (destination, session_id, state, reason)
                  values ('orders', 's1', 'parked', 'r') returning id)
                insert into %1$s.outbox_held_message
                  (hold_id, origin_position, origin_time, session_id, message_id, payload)
                select id, 1, clock_timestamp(), 's1', 'p1', 'x' from h
                """.formatted(database.schema()));
        String[] edit = {
            "outbox", "edit", "orders", "--session", "s1", "--place", "1", "--property", "big=" + "x".repeat(40_000)
        };

        assertThat(program.run(with(edit, "--dry-run")).err()).contains("bytes in its header 'big'");
        assertThat(program.run(with(edit, "--dry-run")).exitCode()).isEqualTo(2);
    }

    private static String[] with(String[] arguments, String last) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = last;
        return all;
    }

    @Test
    void an_option_a_hold_or_a_time_that_is_not_meant_is_answered_in_a_few_lines() {
        assertThat(program.run("dlq", "list", "--sesion", "w").err()).contains("Did you mean --session?");
        assertThat(program.run("audit", "--since", "2026-02-30").err().lines())
                .hasSizeLessThan(4)
                .anyMatch(line -> line.contains("'2026-02-30' is not a time"));
        assertThat(program.run("outbox", "show", "99").err()).contains("nothing is held");
        assertThat(program.run("lab", "append", "ordres", "--id", "a", "--text", "b"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).isEqualTo(3);
                    assertThat(result.err()).contains("did you mean 'orders'?");
                });
    }
}
