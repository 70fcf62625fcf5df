package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(PostgresExtension.class)
@Timeout(120)
class LargeBodiesTest {
    @TempDir
    private Path directory;

    /** Fifty letters of 1 MiB, the largest of the standard tier being 256 KiB and of premium 100 MiB. */
    @Test
    void a_list_that_shows_no_bodies_needs_no_memory_for_them(TestDatabase database) {
        var schema = new SchemaName(database.schema());
        Program program = Program.with(directory, Program.database(database));
        Migrations.of(database.dataSource(), schema).apply();
        DSL.using(database.dataSource(), SQLDialect.POSTGRES).execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload)
                  select gen_random_uuid(), 'orders', i, clock_timestamp(), 'm' || i, convert_to(repeat('x', 10000000), 'UTF8') from generate_series(1, 40) i returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(schema));
        Result result = program.runProcess("dlq", "list");
        System.out.println("## dlq list -> " + result.exitCode() + " " + result.err().lines().limit(2).toList());
        assertThat(result.exitCode()).isZero();
    }
}
