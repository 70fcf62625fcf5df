package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
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
        schema = new SchemaName(database.schema());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        program = Program.with(directory, Program.database(database));
        Migrations.of(database.dataSource(), schema).apply();
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

    private void show(String what, Result result) {
        System.out.println("## " + what + " -> " + result.exitCode() + " err: " + result.err().strip().lines().findFirst().orElse("")
                + " out: " + result.out().strip().lines().limit(2).toList());
    }

    @Test
    void a_propertys_name_is_no_line_of_its_own() {
        String headers = "{\"x\\nstate\":\"discarded\"}";
        long id = letter("m", "s", headers);
        String out = program.run("dlq", "show", "" + id).out();
        System.out.println("## headers " + dsl.fetchSingle("select headers from %s.dead_letter_message".formatted(schema)).get(0));
        System.out.println("## out " + out.replace("\n", "\\n"));
        assertThat(out.lines().filter(line -> line.startsWith("state:"))).hasSize(1);
    }

    @Test
    void a_table_turns_no_reading_order() {
        letter("in\u202evoice\u2066\u200b", "s\u2028t", "{}");
        String out = program.run("dlq", "list").out();
        assertThat(out).doesNotContain("\u202e").doesNotContain("\u2066").doesNotContain("\u2028");
    }

    @Test
    void numbers_that_cannot_be_meant_are_bad_input() {
        letter("m", "s", "{}");
        show("dlq list --most -1", program.run("dlq", "list", "--most", "-1"));
        show("dlq list --most 0", program.run("dlq", "list", "--most", "0"));
        show("dlq list --most 2147483647", program.run("dlq", "list", "--most", "2147483647"));
        show("audit --most -1", program.run("audit", "--most", "-1"));
        show("replay list --most -1", program.run("replay", "list", "--most", "-1"));
        show("monitor --depth -1", program.run("monitor", "--depth", "-1"));
        show("monitor --arrivals 0", program.run("monitor", "--arrivals", "0"));
        show("audit --since 2026-13-01T00:00:00Z", program.run("audit", "--since", "2026-13-01T00:00:00Z"));
        show("dlq list --session ''", program.run("dlq", "list", "--session", ""));
        show("dlq discard --exception '' ", program.run("dlq", "discard", "--exception", "", "--reason", "r"));
        show("dlq discard --because '' ", program.run("dlq", "discard", "--because", "", "--reason", "r"));
        show("dlq discard --since 36500d ", program.run("dlq", "discard", "--since", "36500d", "--reason", "r", "--dry-run"));
        show("print-sql --from -1", program.run("migrate", "print-sql", "--from", "-1"));
        show("print-sql --to 99", program.run("migrate", "print-sql", "--to", "99"));
        show("print-sql --to 0", program.run("migrate", "print-sql", "--to", "0"));
        show("watch --count 1 --every 0s", program.run("watch", "--count", "1", "--every", "0s"));
        show("watch --count 1 --every 99999999d", program.run("watch", "--count", "1", "--every", "99999999d"));
        show("watch --count 2 --every 999999999999d", program.run("watch", "--count", "2", "--every", "999999999999d"));
        show("outbox show NUL", program.run("outbox", "show", "or\0ders", "--session", "a\0b"));
        show("trace NUL", program.run("trace", "a\0b"));
        show("dlq list NUL", program.run("dlq", "list", "--session", "a\0b"));
        show("audit NUL", program.run("audit", "--by", "a\0b"));
        show("lone surrogate", program.run("dlq", "list", "--session", "a\ud800b"));
        show("status --json", program.run("status", "--json"));
        show("health v6", program.run("health", "--set", "http.bind=::1"));
        show("health v6 any", program.run("health", "--set", "http.bind=::"));
        show("outbox show 1 --most -1", program.run("outbox", "show", "1", "--most", "-1"));
        show("outbox show 999999999999999999", program.run("outbox", "show", "999999999999999999"));
        show("outbox retry --after 99999999999d", program.run("outbox", "retry", "1", "--after", "99999999999d", "--reason", "r"));
    }

    @Test
    void texts_beyond_ascii_survive_without_a_locale() {
        long id = letter("b\u00fccher-\u4e2d", "s", "{}");
        for (Map<String, String> env : List.of(Map.of("LC_ALL", "C"), Map.of("LC_ALL", "C.UTF-8"))) {
            Result result = program.runProcess(env, "dlq", "show", "" + id, "--json");
            System.out.println("## " + env + " " + result.out().lines().filter(l -> l.contains("\"message\"")).toList());
        }
        assertThat(program.runProcess(Map.of("LC_ALL", "C"), "dlq", "show", "" + id, "--json").out()).contains("b\u00fccher-\u4e2d");
    }

    @Test
    void a_watch_whose_reader_has_gone_ends() throws Exception {
        var builder = new ProcessBuilder("bash", "-c", System.getProperty("java.home") + "/bin/java -cp '" + System.getProperty("java.class.path")
                + "' dev.waybill.standalone.WaybillRelay watch --every 200ms | head -1");
        builder.environment().put("WAYBILL_CONFIG", directory.resolve("waybill.yaml").toString());
        Process process = builder.redirectErrorStream(true).redirectOutput(directory.resolve("o").toFile()).start();
        boolean ended = process.waitFor(20, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        System.out.println("## watch " + Files.readString(directory.resolve("o")));
        assertThat(ended).isTrue();
    }
}
