package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

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
