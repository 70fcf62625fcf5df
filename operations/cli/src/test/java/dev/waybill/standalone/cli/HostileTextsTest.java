package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Texts that anybody may have written, and arguments that cannot be meant. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class HostileTextsTest {
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

    private long letter(String id, String subject, String headers) {
        return dsl.fetchSingle("""
                with m as (
                  insert into %1$s.dead_letter_message
                    (key, entity, sequence_number, enqueued_at, message_id, subject, headers, payload)
                  values (gen_random_uuid(), 'orders', 1, clock_timestamp(), {0}, {1}, {2}, 'x'::bytea) returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m returning id
                """.formatted(schema), DSL.val(id), DSL.val(subject), DSL.val(headers))
                .get(0, Long.class);
    }

    @Test
    void a_propertys_name_is_no_line_of_its_own() {
        String headers = "{\"x\\nstate\":\"discarded\"}";
        long id = letter("m", "s", headers);
        String out = program.run("dlq", "show", "" + id).out();
        assertThat(out.lines().filter(line -> line.startsWith("state:"))).hasSize(1);
    }

    @Test
    void a_table_turns_no_reading_order() {
        letter("in\u202evoice\u2066\u200b", "s\u2028t", "{}");
        String out = program.run("dlq", "list").out();
        assertThat(out).doesNotContain("\u202e").doesNotContain("\u2066").doesNotContain("\u2028");
    }

    @Test
    void a_relay_that_is_bound_to_an_address_of_version_6_can_be_asked() {
        for (String bind : List.of("::", "::1")) {
            Result unreachable = program.run("health", "--set", "http.bind=" + bind, "--set", "http.port=1");
            assertThat(unreachable.exitCode()).as(unreachable.err()).isEqualTo(5);
        }
    }

    @Test
    @Tag("long")
    void texts_beyond_ascii_survive_without_a_locale() {
        long id = letter("b\u00fccher-\u4e2d", "s", "{}");
        Result shown = program.runProcess(Map.of("LC_ALL", "C"), "dlq", "show", "" + id, "--json");
        assertThat(shown.json().findValuesAsText("message")).contains("b\u00fccher-\u4e2d");
    }

    @Test
    @Tag("long")
    void a_watch_whose_reader_has_gone_ends() throws Exception {
        var builder = new ProcessBuilder(
                "bash",
                "-c",
                System.getProperty("java.home") + "/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path")
                        + "' dev.waybill.standalone.WaybillRelay watch --every 200ms | head -1");
        builder.environment()
                .put("WAYBILL_CONFIG", directory.resolve("waybill.yaml").toString());
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("o").toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        assertThat(ended).isTrue();
    }
}
