package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that go to standard output, a device or a pipe, and come from them. */
@ExtendWith(PostgresExtension.class)
@Timeout(240)
class DocumentsTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private Program program;

    @BeforeEach
    void collect(TestDatabase empty) throws Exception {
        database = empty;
        Program.tables(database);
        program = Program.with(directory, Program.database(database));
        database.execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, session_id, payload)
                  values (gen_random_uuid(), 'orders', 1, clock_timestamp(), 'straße-€-🐘', 's', 'body') returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(database.schema()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
    void an_export_to_standard_output_is_the_document_alone(String place) throws Exception {
        Result result = program.run("dlq", "export", place, "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out().lines()).hasSize(1);
        JsonNode letter = new ObjectMapper().readTree(result.out());
        assertThat(letter.get("id").asText()).isEqualTo("straße-€-🐘");
        assertThat(result.out().chars())
                .as("the character set of a pipe is unknown")
                .allMatch(c -> c < 0x80);
        assertThat(result.err()).contains("\"exported\" : 1");
        assertThat(directory.resolve("-")).doesNotExist();
        assertThat(program.run("erasures", "export", place).err()).contains("exported: 0");
    }

    @Test
    @Tag("long")
    void what_was_exported_to_a_pipe_is_imported_from_it() throws Exception {
        assertThat(program.runShell("dlq export - > letters.jsonl").exitCode()).isZero();
        database.execute("delete from %1$s.dead_letter_state; delete from %1$s.dead_letter_message"
                .formatted(database.schema()));

        for (String words : new String[] {
            "dlq import - --reason r --dry-run < letters.jsonl",
            "dlq import - --reason r < letters.jsonl",
            "dlq import /dev/stdin --reason r --dry-run < letters.jsonl",
            "dlq import <(cat letters.jsonl) --reason r --dry-run",
            "dlq export >(cat > copy.jsonl)",
            "dlq import - --reason r --json < letters.jsonl"
        }) {
            Result result = program.runShell(words);
            assertThat(result.exitCode())
                    .as(words + result.out() + result.err())
                    .isZero();
        }
        assertThat(program.run("dlq", "list").out()).contains("straße-€-🐘");
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            strings = {
                "dlq export - > /dev/full",
                "dlq list --json > /dev/full",
                "migrate print-sql > /dev/full",
                "dlq export /dev/full"
            })
    void an_answer_that_did_not_get_out_is_no_success(String words) {
        Result result = program.runShell(words);

        assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
        assertThat(result.err()).isNotBlank().doesNotContain("\tat ");
    }

    @Test
    void a_file_that_is_missing_locked_or_no_file_is_bad_input_with_a_reason() throws Exception {
        Path taken = Files.writeString(directory.resolve("taken.jsonl"), "");
        Path latin = Files.write(directory.resolve("latin.jsonl"), new byte[] {(byte) 0xE9, '\n'});

        refused("no such file", "dlq", "import", directory.resolve("none").toString(), "--reason", "r");
        refused("no such file", "dlq", "edit", "1", "--body-file", "none.bin", "--reason", "r");
        refused("no such file", "erasures", "import", "none.jsonl");
        refused(
                "no such file",
                "dlq",
                "export",
                directory.resolve("none/x.jsonl").toString());
        refused("is a directory", "dlq", "import", directory.toString(), "--reason", "r");
        refused("is no UTF-8", "dlq", "import", latin.toString(), "--reason", "r");
        refused("exists already", "dlq", "export", taken.toString());
        refused("exists already", "dlq", "export", directory.toString());
    }

    private void refused(String words, String... arguments) {
        Result result = program.run(arguments);
        assertThat(result.exitCode())
                .as(String.join(" ", arguments) + result.err())
                .isEqualTo(2);
        assertThat(result.err()).contains(words);
    }
}
