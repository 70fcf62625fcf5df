package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(PostgresExtension.class)
@Timeout(200)
class ManyHoldsTest {
    @TempDir
    private Path directory;

    @Test
    void a_hundred_thousand_holds(TestDatabase database) {
        var schema = new SchemaName(database.schema());
        DSLContext dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        Program program = Program.with(directory, Program.database(database));
        Migrations.of(database.dataSource(), schema).apply();
        System.out.println("## columns " + dsl.fetch("select table_name, column_name, is_nullable, column_default, data_type from information_schema.columns where table_schema = '" + schema.value() + "' and table_name in ('hold','held_message') order by 1, ordinal_position").formatCSV().replace("\n", " ; "));
        dsl.execute("insert into %1$s.hold (side, scope, session_id, state, reason, description) select 'outbox', 'd' || (i %% 100), 's' || i, 'parked', 'TooLarge', repeat('x', 200) from generate_series(1, 100000) i".formatted(schema));
        for (String[] verb : new String[][] {{"status"}, {"status", "--json"}, {"outbox", "list"}, {"outbox", "list", "--json"}, {"outbox", "release-all", "d1", "--dry-run"}, {"doctor", "--json"}}) {
            long begun = System.nanoTime();
            Result result = program.runProcess(verb);
            System.out.println("## " + String.join(" ", verb) + " " + (System.nanoTime() - begun) / 1_000_000 + " ms, exit " + result.exitCode() + ", " + result.out().length() + " characters, " + result.err().lines().limit(3).toList());
        }
    }
}
