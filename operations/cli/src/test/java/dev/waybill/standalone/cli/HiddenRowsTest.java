package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row level security hides rows without an error: a verb would answer that nothing is there, or that nothing is left. */
@ExtendWith(PostgresExtension.class)
class HiddenRowsTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private String role;
    private Program program;

    @BeforeEach
    void hide(TestDatabase given) throws SQLException {
        database = given;
        SchemaName schema = Program.tables(given);
        role = schema + "_bound";
        database.execute("create role " + role);
        for (Role each : new Role[] {Role.OPERATOR, Role.ERASER}) {
            database.execute(each.grants(schema, role, Feature.all()));
        }
        database.execute("alter table " + schema + ".outbox_hold enable row level security");
        String url = given.server().jdbcUrl();
        program = Program.with(directory, Program.database(given).replace(url, url + "&options=-c%20role=" + role));
    }

    @AfterEach
    void drop() throws SQLException {
        database.execute("drop owned by " + role + "; drop role " + role);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outbox list",
                "outbox release-all --all --reason r --yes",
                "erase --session s --live --reason r --yes",
                "audit"
            })
    void a_verb_does_not_take_what_is_hidden_for_missing(String verb) {
        Result result = program.run(verb.split(" "));

        assertThat(result.exitCode()).as(result.out()).isEqualTo(1);
        assertThat(result.err()).contains("Row level security may hide rows of outbox_hold");
    }
}
