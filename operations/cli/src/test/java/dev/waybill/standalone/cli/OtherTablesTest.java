package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables of another version than this program's, under every verb. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class OtherTablesTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private Program program;
    private Path file;
    private int names;

    @BeforeEach
    void prepare(TestDatabase empty) throws IOException {
        database = empty;
        schema = new SchemaName(database.schema());
        program = Program.with(directory, Program.database(database));
        file = Files.writeString(directory.resolve("empty.jsonl"), "");
    }

    @Test
    @Tag("long")
    void older_tables_are_named_with_their_version_by_every_verb() throws SQLException {
        database.createTables(Migrations.sql(schema, 0, 12));
        history(12);

        assertThat(wrong("are of version 12, this program needs " + SchemaVersion.CURRENT
                        + "; run 'waybill-relay migrate up'"))
                .isEmpty();
    }

    @Test
    @Tag("long")
    void older_tables_without_a_history_are_named_with_what_they_lack_by_every_verb() throws SQLException {
        database.createTables(Migrations.sql(schema, 0, 12));

        assertThat(wrong("are not of version " + SchemaVersion.CURRENT + ", which this program needs: they lack "))
                .isEmpty();
    }

    @Test
    void newer_tables_are_used_and_told_of() throws SQLException {
        database.createTables(Migrations.sql(schema, 0));
        history(SchemaVersion.CURRENT + 1);

        for (List<String> verb : List.of(List.of("outbox", "list"), List.of("status"), List.of("dlq", "groups"))) {
            Result result = program.run(verb.toArray(String[]::new));
            assertThat(result.err())
                    .as(verb.toString())
                    .contains("are of version " + (SchemaVersion.CURRENT + 1) + ", this program knows "
                            + SchemaVersion.CURRENT + "; fine while an upgrade is rolled out, else")
                    .doesNotContain("ERROR");
            assertThat(result.out()).as(verb.toString()).isNotEmpty();
        }
    }

    @Test
    void newer_tables_that_lack_something_are_named_and_no_statement_is() throws SQLException {
        database.createTables(Migrations.sql(schema, 0));
        history(SchemaVersion.CURRENT + 1);
        database.execute("drop table " + schema + ".outbox_pause_audit");

        Result audit = program.run("audit");

        assertThat(audit.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(audit.err())
                .contains("are of version " + (SchemaVersion.CURRENT + 1), "use the program that belongs to them")
                .doesNotContain("does not exist");
    }

    private List<String> wrong(String expected) {
        var wrong = new ArrayList<String>();
        List<String> verbs = new ArrayList<>(DatabaseVerbs.ALL);
        verbs.add("outbox rebase --reason r --yes");
        for (String verb : verbs) {
            Result result = program.run(filled(verb).split(" ", -1));
            String said = result.out() + result.err();
            if (!verb.startsWith("migrate") && (result.exitCode() != ExitCode.FAILED || !said.contains(expected))) {
                wrong.add(verb + ": " + result.exitCode() + " "
                        + said.lines().findFirst().orElse(""));
            }
        }
        return wrong;
    }

    private String filled(String verb) {
        names++;
        return verb.replace("{new}", directory.resolve("f" + names).toString())
                .replace("{exported}", file.toString())
                .replace("{orders}", file.toString())
                .replace("{replay}", UUID.randomUUID().toString())
                .replaceAll("\\{[a-z-]+}", "1");
    }

    private void history(int version) throws SQLException {
        database.execute("""
                create table %1$s.waybill_migration (version text, success boolean);
                insert into %1$s.waybill_migration select n::text, true from generate_series(1, %2$d) n
                """.formatted(schema, version));
    }
}
