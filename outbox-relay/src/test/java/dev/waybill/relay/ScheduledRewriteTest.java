package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of scheduled messages is written anew while a relay remembers rows that it has left. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ScheduledRewriteTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "vacuum full $schema.outbox_scheduled",
                "cluster $schema.outbox_scheduled using outbox_scheduled_due",
                "alter table $schema.outbox_scheduled alter column content_type type varchar(100)"
            })
    void a_message_without_session_whose_cancel_is_rolled_back_is_moved_from_a_table_that_was_rewritten(
            String rewriting, TestDatabase database) throws Exception {
        var outbox = new OutboxFixture(database);
        var scheduling = new Scheduling(
                new ScheduledTable(outbox.dsl, outbox.schema, 500),
                List.of("orders"),
                destination -> {},
                new SplittableRandom(1),
                new TestClock());
        schedule(outbox, "'gone' || n", 500);
        schedule(outbox, "'due'", 1);
        outbox.execute("delete from $schema.outbox_scheduled where message_id <> 'due'");
        CompletableFuture<Void> rewrite;
        try (Connection writer = outbox.open()) {
            assertThat(outbox.outbox.cancel(writer, "orders", "due")).isTrue();
            scheduling.step();
            // It waits for the cancel, and all others wait behind it.
            rewrite = CompletableFuture.runAsync(() -> outbox.execute(rewriting));
            await().until(() -> outbox.dsl.fetchExists(DSL.table("pg_locks"), DSL.condition("not granted")));
            writer.rollback();
        }
        rewrite.get(30, TimeUnit.SECONDS);

        scheduling.step();

        assertThat(outbox.rowsIn("outbox_scheduled")).isZero();
        assertThat(outbox.rowsIn("outbox_message")).isOne();
    }

    // The rows that are deleted before the message make its row lie elsewhere after the rewrite.
    private static void schedule(OutboxFixture outbox, String id, int count) {
        outbox.execute(
                "insert into $schema.outbox_scheduled (destination, message_id, payload, due_at) select 'orders', " + id
                        + ", 'x', '2020-01-01' from generate_series(1, " + count + ") n");
    }
}
