package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A schema in which something else is. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class SharedSchemaTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table %1$s.orders (id int)",
                "create view %1$s.v as select 1 as a",
                "create type %1$s.mood as enum ('a')",
                "create function %1$s.f() returns int language sql as 'select 1'",
                "create table %1$s.flyway_schema_history (installed_rank int)",
                "create sequence %1$s.s"
            })
    void tables_are_made_in_a_schema_that_has_others(String other, TestDatabase database) throws Exception {
        database.execute("create schema " + database.schema());
        database.execute(other.formatted(database.schema()));
        Program program = Program.with(directory, Program.database(database));

        Result up = program.run("migrate", "up", "outbox", "inbox", "dead-letters");

        assertThat(up.exitCode()).as(up.err()).isZero();
        assertThat(up.err()).isEmpty();
        assertThat(program.run("migrate", "validate", "dead-letters").exitCode())
                .isZero();
    }

    @Test
    void tables_that_another_tool_made_are_named_and_left_alone(TestDatabase database) throws Exception {
        Program program = Program.with(directory, Program.database(database));
        database.createTables(program.run("migrate", "print-sql").out());

        Result up = program.run("migrate", "up");

        assertThat(up.exitCode()).isEqualTo(1);
        assertThat(up.err()).contains("print-sql").doesNotContain("Flyway").doesNotContainIgnoringCase("baseline");
        assertThat(program.run("status").exitCode()).isNotEqualTo(1);
    }
}
