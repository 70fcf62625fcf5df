package dev.waybill.relay.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.val;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.lease.HandClock;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.schedule.Mover.Step;
import dev.waybill.schema.SqlFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class MoverTest {
    private static final List<String> SERVED = List.of("bills", "orders");

    private final HandClock clock = new HandClock();
    private NewTables tables;
    private Mover mover;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        mover = mover();
    }

    @Test
    void what_is_due_moves_in_due_order_and_the_rest_waits() {
        schedule("later", "s", "1 hour");
        schedule("second", "s", "-1 second");
        schedule("first", "s", "-2 seconds");
        schedule("oldest", null, "-infinity");
        schedule("never", null, "infinity");

        Step step = mover.step(SERVED);

        assertThat(step.moved()).containsOnly(Map.entry("orders", 3));
        assertThat(moved()).containsExactly("oldest", "first", "second");
        assertThat(waiting()).containsExactlyInAnyOrder("later", "never");
    }

    @Test
    void a_moved_message_is_what_was_scheduled() {
        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, session_id, broker_message_id,"
                + " partition_key, subject, content_type, correlation_id, to_address, reply_to, reply_to_session_id,"
                + " time_to_live, scheduled_enqueue_time, headers, payload) values ('orders', 'm', now(), 's', 'b', 'p',"
                + " 'su', 'ct', 'co', 'to', 're', 'rs', 5, '2030-01-01', '{\"a\": 1}', '\\x02')");

        mover.step(SERVED);

        assertThat(tables.one(
                        String.class,
                        "select (to_jsonb(m) - '{seq,created_at,scheduled_enqueue_time}'::text[])::text from"
                                + " $.outbox_message m where scheduled_enqueue_time = '2030-01-01'"))
                .isEqualTo(
                        "{\"headers\": {\"a\": 1}, \"payload\": \"\\\\x02\", \"subject\": \"su\", \"reply_to\": \"re\","
                                + " \"message_id\": \"m\", \"session_id\": \"s\", \"to_address\": \"to\", \"destination\": \"orders\","
                                + " \"content_type\": \"ct\", \"time_to_live\": 5, \"partition_key\": \"p\", \"correlation_id\": \"co\","
                                + " \"broker_message_id\": \"b\", \"reply_to_session_id\": \"rs\"}");
    }

    @Test
    void the_rest_ends_when_the_next_message_is_due_and_is_never_longer_than_a_second() {
        assertThat(mover.step(SERVED).rest()).isEqualTo(Duration.ofSeconds(1));
        schedule("m", null, "500 milliseconds");
        assertThat(mover.step(SERVED).rest()).isBetween(Duration.ofMillis(1), Duration.ofMillis(500));
    }

    @Test
    void destinations_of_others_are_left_to_them() {
        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, payload)"
                + " values ('theirs', 'm', now(), '')");

        assertThat(mover.step(SERVED).count()).isZero();
        assertThat(mover.step(List.of()).count()).isZero();
    }

    @Test
    void thousands_of_due_rows_move_in_pages_and_in_order() {
        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                + " select 'orders', n::text, now() - n * interval '1 second', 's' || n % 3, '' from"
                + " generate_series(1, 7000) n");

        assertThat(mover.step(SERVED).count()).isEqualTo(5_000);
        assertThat(mover.step(SERVED).count()).isEqualTo(2_000);

        assertThat(moved().stream().map(Integer::valueOf).toList())
                .isEqualTo(IntStream.range(0, 7_000).mapToObj(i -> 7_000 - i).toList());
    }

    @Test
    void a_page_ends_at_its_bytes_and_one_row_is_always_moved() {
        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                + " select 'orders', n::text, now() - interval '1 hour' + n * interval '1 second', 's',"
                + " decode(repeat('00', n * 1000000), 'hex') from generate_series(1, 5) n");

        var rows = new ScheduledRows(tables.dsl, tables.schema);
        var none = new Page.Excluded(new HashSet<>(), new HashSet<>());

        assertThat(rows.move("orders", none, 500).chosen())
                .extracting(Page.Due::messageId)
                .containsExactly("1", "2");
        assertThat(rows.move("orders", none, 500).moved()).isEqualTo(1);
        assertThat(mover.step(SERVED).count()).isEqualTo(2);
    }

    @Test
    void a_session_that_is_being_appended_to_waits_and_delays_no_other() throws Exception {
        schedule("busy", "s", "-2 seconds");
        schedule("free", "t", "-1 second");
        try (Connection writer = tables.open()) {
            append(writer, "s", "before");
            assertThat(mover.step(SERVED).count()).isEqualTo(1);
            assertThat(moved()).containsExactly("free");
            assertThat(mover.step(SERVED).rest()).isEqualTo(Mover.REST_WHILE_LOCKED);
            writer.commit();
        }
        mover.step(SERVED);
        assertThat(moved()).containsExactly("before", "free", "busy");
    }

    @Test
    void many_due_rows_of_a_busy_session_keep_no_other_from_moving() throws Exception {
        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                + " select 'orders', n::text, now() - interval '1 hour', 's', '' from generate_series(1, 2000) n");
        schedule("free", "t", "-1 second");
        schedule("loose", null, "-1 second");
        try (Connection writer = tables.open()) {
            append(writer, "s", "open");
            mover.step(SERVED);
            assertThat(moved()).containsExactlyInAnyOrder("free", "loose");
        }
    }

    // A bare attempt at the lock would have its turn once in hundreds of times.
    @Test
    @Timeout(60)
    void a_session_that_two_writers_append_to_all_the_time_has_its_turn() throws Exception {
        schedule("due", "s", "-1 second");
        var done = new AtomicBoolean();
        ExecutorService writers = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 2; i++) {
                writers.execute(() -> appendUntil(done));
            }
            Awaitility.await().until(() -> !moved().isEmpty());
            Awaitility.await()
                    .pollInSameThread()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> mover.step(SERVED).count() == 1);
        } finally {
            done.set(true);
            writers.shutdown();
            assertThat(writers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_cancel_that_has_the_row_wins_and_keeps_later_ones_of_the_session_behind_it() throws Exception {
        schedule("cancelled", "s", "-2 seconds");
        schedule("later", "s", "-1 second");
        schedule("loose", null, "-1 second");
        try (Connection cancel = tables.open()) {
            tables.execute(cancel, "delete from $.outbox_scheduled where message_id = 'cancelled'");
            mover.step(SERVED);
            assertThat(moved()).containsExactly("loose");
            cancel.rollback();
            mover.step(SERVED);
            assertThat(moved()).containsExactly("loose", "cancelled", "later");
        }
    }

    @Test
    void a_cancel_that_comes_second_is_too_late() throws Exception {
        schedule("m", "s", "-1 second");
        try (Connection gate = tables.open()) {
            tables.execute(gate, "lock table $.outbox_message in share row exclusive mode");
            var step = CompletableFuture.supplyAsync(() -> mover.step(SERVED));
            assertThat(step.get().count()).as("while all writers are kept out").isZero();
        }
        tables.execute("create function $.slow() returns trigger language plpgsql as"
                + " 'begin perform pg_sleep(0.5); return new; end'");
        tables.execute("create trigger slow before insert on $.outbox_message for each row execute function $.slow()");
        var step = CompletableFuture.supplyAsync(() -> mover.step(SERVED));
        Awaitility.await()
                .until(() -> tables.one(
                                Integer.class,
                                "select count(*) from pg_stat_activity where query like '%$.outbox_message%' and wait_event = 'PgSleep'"
                                        .replace("$", tables.schema.value()))
                        > 0);

        assertThat(tables.execute("delete from $.outbox_scheduled where message_id = 'm'"))
                .isZero();
        assertThat(step.get().count()).isEqualTo(1);
    }

    @Test
    void a_message_that_is_scheduled_again_replaces_the_one_that_waits() throws Exception {
        schedule("m", "s", "-1 second");
        try (Connection application = tables.open()) {
            tables.execute(
                    application,
                    "insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                            + " values ('orders', 'm', now() + interval '1 hour', 's', '') on conflict (destination, message_id)"
                            + " do update set due_at = excluded.due_at");
            assertThat(mover.step(SERVED).count()).isZero();
            application.commit();
        }
        assertThat(mover.step(SERVED).count()).isZero();
        tables.execute("update $.outbox_scheduled set due_at = now()");
        assertThat(mover.step(SERVED).count()).isEqualTo(1);
        assertThat(moved()).containsExactly("m");
    }

    @Test
    void a_crash_before_the_commit_moves_nothing_and_after_it_nothing_twice() {
        schedule("m", "s", "-1 second");
        tables.execute("create function $.die() returns trigger language plpgsql as"
                + " 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'");
        tables.execute("create constraint trigger die after insert on $.outbox_message deferrable initially deferred"
                + " for each row execute function $.die()");

        assertThatThrownBy(() -> mover.step(SERVED)).isInstanceOf(DataAccessException.class);
        assertThat(moved()).isEmpty();
        assertThat(waiting()).containsExactly("m");

        tables.execute("drop trigger die on $.outbox_message");
        mover.step(SERVED);
        mover().step(SERVED);
        assertThat(moved()).containsExactly("m");
    }

    @Test
    void a_row_that_the_outbox_refuses_keeps_only_its_session() {
        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                + " select 'orders', 'm' || n, now() - interval '1 hour' + n * interval '1 second', 's' || n % 10, ''"
                + " from generate_series(1, 300) n");
        tables.execute("alter table $.outbox_message add constraint odd check (message_id not in ('m100', 'loose'))");
        schedule("loose", null, "-1 second");
        schedule("bill", null, "-1 second");
        tables.execute("update $.outbox_scheduled set destination = 'bills' where message_id = 'bill'");

        Step last = mover.step(SERVED);
        for (int i = 0; last.rest().isZero() && i < 10; i++) {
            last = mover.step(SERVED);
        }

        assertThat(moved())
                .hasSize(300 - 21 + 1)
                .contains("m99", "m101", "m299", "m90", "bill")
                .doesNotContain("m110");
        assertThat(waiting()).hasSize(22).contains("m100", "m110", "loose");
        assertThat(last.rest()).isEqualTo(Duration.ofSeconds(1));

        tables.execute("alter table $.outbox_message drop constraint odd");
        assertThat(mover.step(SERVED).count()).isZero();
        clock.advance(Duration.ofMinutes(1));
        assertThat(mover.step(SERVED).count()).isEqualTo(22);
    }

    // What vacuum saw is an empty table. A plan that believes it reads all that waits for each page.
    @Test
    void a_page_reads_only_its_rows_whatever_the_statistics_say() {
        tables.execute("vacuum analyze $.outbox_scheduled");
        tables.execute(
                "insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                        + " select 'orders', n::text, now() + n * interval '1 minute', 's' || n, '' from generate_series(1, 50000) n");
        String plan = tables.dsl.transactionResult(tx -> {
            tx.dsl().execute(ScheduledRows.BEGIN);
            return tx.dsl()
                    .fetch(
                            "explain " + new SqlFiles(ScheduledRows.class, tables.schema).get("scheduled-choose"),
                            val("orders"),
                            val(new String[0]),
                            val(new String[0]),
                            val(null, String.class),
                            val(500))
                    .formatCSV();
        });

        assertThat(plan)
                .contains("Index Scan using outbox_scheduled_due", "Tid Scan")
                .doesNotContain("Seq Scan");
    }

    @Test
    void two_movers_move_every_message_once_and_each_session_in_order() {
        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                + " select 'orders', n::text, now() - interval '1 day' + n * interval '1 second', 's' || n % 7, ''"
                + " from generate_series(1, 6000) n");
        var movers = IntStream.range(0, 2)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    Mover one = mover();
                    while (!waiting().isEmpty()) {
                        one.step(SERVED);
                    }
                }))
                .toList();
        movers.forEach(CompletableFuture::join);

        assertThat(moved()).hasSize(6_000).doesNotHaveDuplicates();
        assertThat(
                        tables.one(
                                Integer.class,
                                "select count(*) from (select message_id::int < lag(message_id::int) over"
                                        + " (partition by session_id order by seq) as wrong from $.outbox_message) m where wrong"))
                .isZero();
    }

    private void appendUntil(AtomicBoolean done) {
        for (int i = 0; !done.get(); i++) {
            try (Connection writer = tables.open()) {
                append(writer, "s", Thread.currentThread().getId() + "-" + i);
                tables.execute(writer, "select pg_sleep(0.004)");
                writer.commit();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void append(Connection tx, String session, String id) throws SQLException {
        tables.execute(tx, "select $.outbox_append('orders', '" + session + "', '" + id + "', '')");
    }

    private Mover mover() {
        return new Mover(new ScheduledRows(tables.dsl, tables.schema), new Random(1), clock);
    }

    private void schedule(String id, @Nullable String session, String due) {
        String at = due.contains("infinity") ? "'" + due + "'" : "now() + interval '" + due + "'";
        tables.execute(
                "insert into $.outbox_scheduled (destination, message_id, due_at, session_id, payload)"
                        + " values ('orders', {0}, " + at + ", {1}, '')",
                val(id),
                val(session));
    }

    private List<String> moved() {
        return tables.fetch("select message_id from $.outbox_message order by seq")
                .getValues(0, String.class);
    }

    private List<String> waiting() {
        return tables.fetch("select message_id from $.outbox_scheduled").getValues(0, String.class);
    }
}
