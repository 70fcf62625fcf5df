package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bodies of dead letters on a terminal. */
@ExtendWith(PostgresExtension.class)
class DlqBodyTest {
    @TempDir
    private Path directory;

    private SchemaName schema;
    private DSLContext dsl;
    private Program program;

    @BeforeEach
    void configure(TestDatabase database) {
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        program = Program.with(directory, Program.database(database));
    }

    @Test
    @Tag("long")
    void a_hostile_body_cannot_drive_the_terminal() {
        long id = letter(
                "text/plain",
                "gr\u00fcn\t1\n\u001b]0;owned\u0007\u009b2J\u202eexe.\rx".getBytes(StandardCharsets.UTF_8));

        String out = program.run("dlq", "show", "" + id, "--body").out();

        assertThat(out)
                .contains("bytes of text\ngr\u00fcn\t1\n\\x1b]0;owned\\x07\\x9b2J\\u{202e}exe.")
                .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\r");
        assertThat(program.run("dlq", "show", "" + id).out()).doesNotContain("owned");
        assertThat(program.run("dlq", "show", "" + id, "--body", "--json")
                        .json()
                        .at("/body/text")
                        .asText())
                .startsWith("gr\u00fcn");
    }

    @Test
    void a_body_that_is_no_text_is_dumped_as_bytes_up_to_the_limit() {
        long binary = letter("application/octet-stream", "only text by accident".getBytes(StandardCharsets.UTF_8));
        assertThat(program.run("dlq", "show", "" + binary, "--body", "--body-limit", "5")
                        .out())
                .contains("body: 21 bytes, the first 5 of them\n00000000  6f 6e 6c 79 20 ")
                .contains(" only ");

        long broken = letter("application/json", new byte[] {'{', (byte) 0xff, 0x1b});
        assertThat(program.run("dlq", "show", "" + broken, "--body").out())
                .contains("00000000  7b ff 1b ")
                .contains("{..");

        long cut = letter(null, "a\u00e4".getBytes(StandardCharsets.UTF_8));
        assertThat(program.run("dlq", "show", "" + cut, "--body", "--body-limit", "2")
                        .out())
                .contains("body: 3 bytes of text, the first 2 of them\na\n");
        assertThat(program.run("dlq", "show", "" + cut, "--body", "--body-limit", "0")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void a_body_outside_its_message_is_found_and_one_in_the_archive_is_told_of() {
        long id = letter("text/plain", new byte[0]);
        var claim = UUID.randomUUID();
        dsl.execute(
                "insert into %s.outbox_claim_body values ({0}, convert_to('a large one', 'UTF8'))".formatted(schema),
                DSL.val(claim));
        dsl.execute(
                "update %s.dead_letter_message set headers = {0}".formatted(schema),
                DSL.val("{\"waybill-claim\": \"" + claim + "\"}"));
        assertThat(program.run("dlq", "show", "" + id, "--body").out()).contains("a large one");

        dsl.execute("update %s.dead_letter_state set state = 'archived'".formatted(schema));
        assertThat(program.run("dlq", "show", "" + id, "--body").out()).contains("dlq restore --id " + id);
    }

    @Test
    void a_program_is_told_why_a_body_is_not_shown() {
        long id = letter("text/plain", new byte[0]);
        dsl.execute(
                "update %s.dead_letter_message set headers = {0}".formatted(schema),
                DSL.val("{\"waybill-claim\": \"" + UUID.randomUUID() + "\"}"));

        assertThat(missing(id)).contains("in a store that this database knows nothing of");
        assertThat(program.run("dlq", "show", "" + id, "--body").out())
                .contains("in a store that this database knows nothing of");

        dsl.execute("update %s.dead_letter_state set state = 'archived'".formatted(schema));
        assertThat(missing(id)).contains("dlq restore --id " + id);
    }

    private String missing(long id) {
        return program.run("dlq", "show", "" + id, "--body", "--json")
                .json()
                .at("/body/missing")
                .asText();
    }

    @Test
    void a_limit_of_bodies_that_are_not_shown_is_refused() {
        for (List<String> verb : List.of(List.of("dlq", "show", "1"), List.of("outbox", "show", "1"))) {
            String[] arguments =
                    Stream.concat(verb.stream(), Stream.of("--body-limit", "5")).toArray(String[]::new);
            assertThat(program.run(arguments).err()).contains("--body-limit needs --body");
        }
    }

    private long letter(@Nullable String contentType, byte[] body) {
        return dsl.fetchSingle("""
                with m as (
                  insert into %1$s.dead_letter_message
                    (key, entity, sequence_number, enqueued_at, message_id, content_type, payload)
                  values (gen_random_uuid(), 'orders', 1, clock_timestamp(), 'm', {0}, {1}) returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m returning id
                """.formatted(schema), DSL.val(contentType), DSL.val(body))
                .get(0, Long.class);
    }
}
