package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes that the JVM cannot decode in its locale. It replaces them, and a verb would look for another name. */
@Tag("long")
@ExtendWith(PostgresExtension.class)
@Timeout(240)
class UndecodedTextTest {
    @TempDir
    private Path directory;

    private Program program;

    @BeforeEach
    void configure(TestDatabase database) {
        Program.tables(database);
        program = Program.with(directory, Program.database(database));
    }

    // 303 251 is é in UTF-8; 351 is é in Latin 1.
    @ParameterizedTest
    @CsvSource({
        "C, dlq discard --session caf\\303\\251 --reason r --yes",
        "C, erase --message caf\\303\\251 --reason r --yes",
        "C, outbox release-all --session \\303\\251 --reason r",
        "C, audit --subject \\360\\237\\220\\230",
        "C, dlq import /tmp/\\303\\251.json --reason r",
        "C, status --set relay.batch-rows=\\303\\251",
        "C.UTF-8, dlq discard --session caf\\351 --reason r --yes"
    })
    void an_argument_is_refused_before_anything_is_looked_for(String locale, String bytes) {
        Result result = program.runShell(Map.of("LC_ALL", locale), "", bytes);

        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(2);
        assertThat(result.err()).contains("The argument '", "LC_ALL=C.UTF-8").doesNotContain("\tat ");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void a_variable_or_system_property_is_refused() {
        assertThat(program.runShell(
                        Map.of("LC_ALL", "C"),
                        "WAYBILL_DATABASE_MAIN_USER=$(printf 'gr\\303\\266\\303\\237e')",
                        "status"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
                    assertThat(result.err()).contains("WAYBILL_DATABASE_MAIN_USER");
                });
        assertThat(program.runShell(
                        Map.of("LC_ALL", "C"),
                        "JAVA_TOOL_OPTIONS=$(printf -- '-Dwaybill.database.main.user=gr\\303\\266e')",
                        "status"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
                    assertThat(result.err()).contains("JAVA_TOOL_OPTIONS");
                });
    }

    @Test
    void real_question_marks_and_decoded_characters_are_taken() {
        assertThat(program.runShell(Map.of("LC_ALL", "C"), "", "audit --subject what\\077")
                        .exitCode())
                .isZero();
        assertThat(program.runShell(Map.of("LC_ALL", "C.UTF-8"), "", "audit --subject caf\\303\\251")
                        .exitCode())
                .isZero();
        assertThat(program.runShell(Map.of("LC_ALL", "C.UTF-8"), "", "audit --subject \\357\\277\\275")
                        .exitCode())
                .as("a replacement character that was typed")
                .isZero();
    }

    @Test
    void a_configuration_in_another_charset_is_said() throws Exception {
        Path latin = Files.write(directory.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xE9});

        assertThat(program.run("status", "--config", latin.toString())).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("is no UTF-8");
        });
    }
}
