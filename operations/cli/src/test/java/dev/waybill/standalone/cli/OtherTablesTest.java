package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables of some features, or of another program, under the verbs. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class OtherTablesTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private Program program;

    @BeforeEach
    void prepare(TestDatabase empty) throws IOException {
        database = empty;
        schema = new SchemaName(database.schema());
        program = Program.with(directory, Program.database(database));
    }

    @Test
    void tables_that_lack_something_are_named_and_no_statement_is() throws SQLException {
        database.createTables(Migrations.sql(schema, Feature.all()));
        database.execute("alter table " + schema + ".outbox_destination drop column pause_reason cascade");

        Result status = program.run("status");

        assertThat(status.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(status.err())
                .contains("they lack outbox_destination.pause_reason", "use the program that belongs to them")
                .doesNotContain("does not exist");
    }

    @Test
    void a_verb_of_a_feature_that_is_not_installed_says_how_to_install_it() throws SQLException {
        database.createTables(Migrations.sql(schema, Feature.OUTBOX));

        for (List<String> verb : List.of(List.of("dlq", "list"), List.of("dlq", "groups"), List.of("dlq", "runs"))) {
            Result result = program.run(verb.toArray(String[]::new));
            assertThat(result.exitCode()).as(verb.toString()).isEqualTo(ExitCode.FAILED);
            assertThat(result.err()).as(verb.toString()).contains("'waybill-relay migrate up dead-letters'");
        }
        Result inbox = program.run("inbox", "held", "list");
        assertThat(inbox.err()).contains("'waybill-relay migrate up inbox'");
        assertThat(program.run("replay", "list").err()).contains("'waybill-relay migrate up retention'");
    }

    @Test
    void a_destination_that_retains_messages_has_the_tables_for_them_made() {
        assertThat(program.run("migrate", "up").exitCode()).isZero();
        assertThat(program.run("replay", "list").exitCode()).isEqualTo(ExitCode.FAILED);

        assertThat(program.run("migrate", "up", "--set", "destination.orders.retain=2d")
                        .exitCode())
                .isZero();

        assertThat(program.run("replay", "list").exitCode()).isZero();
    }

    @Test
    void verbs_about_several_features_work_with_those_that_are_installed() throws SQLException {
        database.createTables(Migrations.sql(schema, Feature.OUTBOX));

        for (List<String> verb : List.of(
                List.of("status"),
                List.of("outbox", "list"),
                List.of("audit"),
                List.of("trace", "m1"),
                List.of("erasures", "list"),
                List.of("erase", "--message", "m1", "--reason", "r", "--yes"))) {
            Result result = program.run(verb.toArray(String[]::new));
            assertThat(result.exitCode()).as(verb + result.err()).isNotEqualTo(ExitCode.FAILED);
        }
    }
}
