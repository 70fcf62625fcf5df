package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A relay that moves what is due beside a transaction that keeps all other writers out, because it appends a long list. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ScheduledDeadlockTest {
    private OutboxFixture outbox;
    private ScheduledTable table;
    private Scheduling scheduling;

    @BeforeEach
    void schedule_something(TestDatabase database) {
        outbox = new OutboxFixture(database);
        outbox.execute("insert into $schema.outbox_scheduled (destination, session_id, message_id, payload, due_at)"
                + " values ('orders', 's', 'due', 'x', '2020-01-01')");
        table = new ScheduledTable(outbox.dsl, outbox.schema, 500);
        scheduling =
                new Scheduling(table, List.of("orders"), destination -> {}, new SplittableRandom(1), new TestClock());
    }

    @Test
    void a_writer_of_a_long_list_that_appends_to_a_session_with_a_due_message_is_not_aborted() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.appendToManySessions(writer);
            var moving = moving(scheduling::step);

            outbox.append(writer, "s", "mine");
            outbox.commit(writer);

            moving.get(30, TimeUnit.SECONDS);
        }
        scheduling.step();
        assertThat(moved()).endsWith("mine", "due");
    }

    @Test
    void a_writer_of_a_long_list_that_cancels_a_due_message_is_not_aborted() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.appendToManySessions(writer);
            var moving = moving(scheduling::step);

            assertThat(outbox.outbox.cancel(writer, "orders", "due")).isTrue();
            outbox.commit(writer);

            moving.get(30, TimeUnit.SECONDS);
        }
        assertThat(outbox.rowsIn("outbox_scheduled")).isZero();
    }

    @Test
    void a_writer_of_a_long_list_that_appends_to_a_session_with_a_message_that_was_left_is_not_aborted()
            throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.appendToManySessions(writer);
            var moving = moving(() -> moveOf("s"));

            outbox.append(writer, "s", "mine");
            outbox.commit(writer);

            moving.get(30, TimeUnit.SECONDS);
        }
        scheduling.step();
        assertThat(moved()).endsWith("mine", "due");
    }

    @Test
    void a_relay_that_waits_for_a_session_keeps_no_long_list_out() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.append(writer, "s", "mine");
            var moving = moving(() -> moveOf("s"));

            outbox.appendToManySessions(writer);
            outbox.commit(writer);

            moving.get(30, TimeUnit.SECONDS);
        }
        assertThat(moved()).endsWith("due");
    }

    @Test
    void what_is_due_while_nobody_may_append_is_looked_for_again_soon() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.appendToManySessions(writer);

            assertThat(CompletableFuture.supplyAsync(scheduling::step).get(30, TimeUnit.SECONDS))
                    .as("after a failure it would be a second")
                    .isEqualTo(Duration.ofMillis(250));

            writer.rollback();
        }
        assertThat(scheduling.step()).isZero();
        assertThat(moved()).containsExactly("due");
    }

    @Test
    void a_row_that_a_moving_relay_needs_and_that_is_locked_delays_its_own_destination() throws Exception {
        outbox.execute("insert into $schema.outbox_claim (digest, claim, destination, message_id, bytes)"
                + " values (gen_random_uuid(), '00000000-0000-0000-0000-000000000001', 'orders', 'due', 1)");
        outbox.execute("update $schema.outbox_scheduled"
                + " set headers = '{\"waybill-claim\": \"00000000-0000-0000-0000-000000000001\"}'");
        try (Connection other = outbox.open()) {
            other.createStatement().execute("select 1 from " + outbox.schema.table("outbox_claim") + " for update");

            assertThat(CompletableFuture.supplyAsync(scheduling::step).get(30, TimeUnit.SECONDS))
                    .isEqualTo(Duration.ofMillis(250));

            other.rollback();
        }
        scheduling.step();
        assertThat(moved()).containsExactly("due");
    }

    /** As if it had been left. */
    private void moveOf(String session) {
        var floor = new DueFloor(OutboxFixture.DESTINATION);
        var moment = table.look(List.of(floor)).moment();
        floor.reach(moment.place(), moment.snapshot());
        table.moveOf(floor, moment.server(), session, Duration.ofSeconds(30));
    }

    /** Returns when the relay waits for a lock, or does not wait any more. */
    private CompletableFuture<?> moving(Runnable step) {
        var moving = CompletableFuture.runAsync(step);
        await().pollInterval(Duration.ofMillis(5)).until(() -> moving.isDone() || isSomeoneWaiting());
        return moving;
    }

    private boolean isSomeoneWaiting() {
        return outbox.dsl.fetchExists(
                DSL.table("pg_locks l left join pg_class c on c.oid = l.relation"),
                DSL.condition("not l.granted and (l.locktype = 'advisory' and l.classid = 1463900482"
                        + " or c.relnamespace = '" + outbox.schema + "'::regnamespace)"));
    }

    private List<String> moved() {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_message") + " order by seq")
                .getValues(0, String.class);
    }
}
