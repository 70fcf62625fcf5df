package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A relay remembers up to where it has moved what was due. Messages that come to be due below that place must still be found. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DueFloorTest {
    private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    private OutboxFixture outbox;
    private Scheduling relay;

    @BeforeEach
    void move_something(TestDatabase database) {
        outbox = new OutboxFixture(database);
        relay = relay(outbox.dsl, 3);
        schedule("s", "first", PAST.plusSeconds(60));
        step();
        assertThat(moved()).containsExactly("first");
    }

    @Test
    void a_message_that_is_scheduled_for_the_past_is_found() {
        schedule("s", "past", PAST);
        schedule(null, "past without session", PAST);

        step();

        assertThat(moved()).containsExactlyInAnyOrder("first", "past", "past without session");
    }

    @Test
    void a_message_that_has_been_due_for_ever_stops_no_look() {
        schedule("s", "for ever", LATER);
        outbox.execute("update $schema.outbox_scheduled set due_at = '-infinity'");

        step();

        assertThat(moved()).containsExactly("first", "for ever");
    }

    @Test
    void what_a_long_transaction_scheduled_for_early_is_found_when_it_commits() throws SQLException {
        try (Connection tx = outbox.open()) {
            outbox.outbox.append(tx, message("s", "early", PAST));
            schedule("s", "meanwhile", PAST.plusSeconds(120));
            step();
            schedule("s", "again", PAST.plusSeconds(180));
            step();
            assertThat(moved()).containsExactly("first", "meanwhile", "again");
            tx.commit();
        }

        step();

        assertThat(moved()).containsExactly("first", "meanwhile", "again", "early");
    }

    @Test
    void what_a_savepoint_of_a_long_transaction_scheduled_is_found() throws SQLException {
        try (Connection tx = outbox.open()) {
            tx.createStatement().execute("select pg_current_xact_id()");
            tx.setSavepoint();
            outbox.outbox.append(tx, message("s", "early", PAST));
            step();
            tx.commit();
        }

        step();

        assertThat(moved()).containsExactly("first", "early");
    }

    @Test
    void more_late_messages_than_a_batch_are_found_in_due_order() throws SQLException {
        var ids = IntStream.range(0, 20).mapToObj(i -> "m" + i).toList();
        try (Connection tx = outbox.open()) {
            for (int i = 0; i < ids.size(); i++) {
                outbox.outbox.append(tx, message("s", ids.get(i), PAST.plusSeconds(i)));
            }
            step();
            tx.commit();
        }
        schedule("s", "last", PAST.plusSeconds(1_000));

        step();

        assertThat(moved())
                .startsWith("first")
                .endsWith("last")
                .containsSubsequence(ids)
                .hasSize(22);
    }

    @Test
    void a_message_that_is_scheduled_anew_for_an_earlier_time_is_found() {
        schedule("s", "m", LATER);
        step();

        schedule("s", "m", PAST);
        step();

        assertThat(moved()).containsExactly("first", "m");
    }

    @Test
    void a_message_whose_time_an_operator_changes_is_found() {
        schedule("s", "m", LATER);
        step();

        outbox.execute("update $schema.outbox_scheduled set due_at = '2019-01-01'");
        step();

        assertThat(moved()).containsExactly("first", "m");
    }

    @Test
    void a_row_that_is_brought_from_elsewhere_with_an_old_transaction_id_is_found() {
        schedule("s", "m", LATER);
        outbox.execute("create table $schema.elsewhere as select * from $schema.outbox_scheduled");
        outbox.execute("update $schema.elsewhere set due_at = '2019-01-01', xid = '3'");
        outbox.execute("delete from $schema.outbox_scheduled");
        step();

        outbox.execute("insert into $schema.outbox_scheduled overriding system value select * from $schema.elsewhere");
        step();

        assertThat(moved()).containsExactly("first", "m");
    }

    @Test
    void messages_whose_cancel_is_rolled_back_are_found_below_the_floor() throws SQLException {
        schedule("s", "with session", PAST);
        schedule(null, "without", PAST);
        try (Connection tx = outbox.open()) {
            outbox.outbox.cancel(tx, OutboxFixture.DESTINATION, "with session");
            outbox.outbox.cancel(tx, OutboxFixture.DESTINATION, "without");
            step();
            schedule("s", "behind", PAST.plusSeconds(240));
            schedule("other", "beside", PAST.plusSeconds(240));
            step();
            assertThat(moved()).containsExactly("first", "beside");
            tx.rollback();
        }

        step();

        assertThat(moved())
                .contains("without")
                .containsSubsequence("with session", "behind")
                .hasSize(5);
    }

    @Test
    void messages_whose_cancel_commits_are_forgotten() throws SQLException {
        schedule("s", "with session", PAST);
        schedule(null, "without", PAST);
        try (Connection tx = outbox.open()) {
            outbox.outbox.cancel(tx, OutboxFixture.DESTINATION, "with session");
            outbox.outbox.cancel(tx, OutboxFixture.DESTINATION, "without");
            step();
            tx.commit();
        }

        step();

        assertThat(moved()).containsExactly("first");
        assertThat(relay.step()).as("nobody holds on to anything").hasSeconds(1);
    }

    @Test
    void an_earlier_message_that_comes_late_to_a_session_that_waits_goes_first() throws SQLException {
        schedule("s", "second", PAST.plusSeconds(300));
        try (Connection tx = outbox.open()) {
            outbox.append(tx, "s", "appended");
            step();
            schedule("s", "earlier", PAST);
            step();
            outbox.commit(tx);
        }

        step();

        assertThat(moved()).containsExactly("first", "appended", "earlier", "second");
    }

    @Test
    void a_server_that_was_started_anew_is_looked_at_from_the_beginning() {
        var restarts = new AtomicInteger();
        relay = relay(
                outbox.rewriting(sql -> sql.replace(
                        "pg_postmaster_start_time()", "pg_postmaster_start_time() + interval '" + restarts + " s'")),
                3);
        step();
        // As after a crash that lost the newest transactions: an id that the floor has seen, used again.
        outbox.execute("alter table $schema.outbox_scheduled disable trigger outbox_scheduled_written");
        outbox.execute("insert into $schema.outbox_scheduled (due_at, destination, message_id, payload, xid)"
                + " values ('2019-01-01', 'orders', 'reused', '', '3')");
        step();
        assertThat(moved()).as("the same server would not do this").containsExactly("first");

        restarts.incrementAndGet();
        step();

        assertThat(moved()).containsExactly("first", "reused");
    }

    @Test
    void two_relays_and_writers_that_commit_in_any_order_lose_nothing_and_move_nothing_twice() throws Exception {
        long seed = System.nanoTime();
        var writing = new AtomicBoolean(true);
        var relays = IntStream.range(0, 2)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    var scheduling = relay(outbox.dsl, 1 + 6 * i);
                    while (writing.get() || !waiting().isEmpty()) {
                        scheduling.step();
                    }
                }))
                .toArray(CompletableFuture[]::new);
        var random = new SplittableRandom(seed);
        var expected = new ArrayList<>(List.of("first"));
        try (var writers = new Writers()) {
            write(random, expected, writers.open);
        } finally {
            writing.set(false);
        }

        CompletableFuture.allOf(relays).get(50, TimeUnit.SECONDS);

        assertThat(moved()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
    }

    private void write(SplittableRandom random, List<String> expected, List<Connection> open) throws SQLException {
        for (int i = 0; i < 400; i++) {
            Connection tx = outbox.open();
            open.add(tx);
            var id = "m" + i;
            var session = random.nextInt(4) == 0 ? null : "s" + random.nextInt(200);
            outbox.outbox.append(tx, message(session, id, PAST.plusSeconds(random.nextInt(-1_000, 1_000))));
            if (random.nextInt(5) == 0) {
                outbox.outbox.cancel(tx, OutboxFixture.DESTINATION, "m" + random.nextInt(i + 1));
                tx.rollback();
                outbox.outbox.append(tx, message(session, id, PAST));
            }
            expected.add(id);
            if (open.size() > random.nextInt(25)) {
                outbox.commit(open.remove(random.nextInt(open.size())));
            }
        }
    }

    private void step() {
        while (relay.step().isZero()) {}
    }

    private Scheduling relay(DSLContext dsl, int batchRows) {
        return new Scheduling(
                new ScheduledTable(dsl, outbox.schema, batchRows),
                List.of(OutboxFixture.DESTINATION, "elsewhere"),
                destination -> {},
                new SplittableRandom(1));
    }

    private void schedule(@Nullable String session, String id, Instant due) {
        outbox.dsl.transaction(tx -> outbox.outbox.append(tx.dsl(), message(session, id, due)));
    }

    private static OutboxMessage message(@Nullable String session, String id, Instant due) {
        var builder =
                OutboxMessage.to(OutboxFixture.DESTINATION).id(id).text(id).notBefore(due);
        return (session == null ? builder : builder.session(session)).build();
    }

    private List<String> waiting() {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_scheduled"))
                .getValues(0, String.class);
    }

    private List<String> moved() {
        return outbox.dsl
                .select(DSL.field("message_id", String.class))
                .from(DSL.table(outbox.schema.table("outbox_message")))
                .orderBy(DSL.field("seq"))
                .fetch(0, String.class);
    }

    /** Transactions that commit at last. */
    private static final class Writers implements AutoCloseable {
        private final List<Connection> open = new ArrayList<>();

        @Override
        public void close() throws SQLException {
            for (Connection tx : open) {
                tx.commit();
                tx.close();
            }
        }
    }
}
