package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.OutboxMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SchedulingTest {
    private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    private final AtomicInteger woken = new AtomicInteger();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void what_is_due_moves_into_the_outbox_in_due_order_and_the_rest_waits() {
        schedule("s", "third", PAST.plusSeconds(2));
        schedule("s", "first", PAST);
        schedule("s", "second", PAST);
        schedule("s", "later", LATER);

        assertThat(scheduling(outbox.dsl).step()).isZero();

        assertThat(outboxIds()).containsExactly("first", "second", "third");
        assertThat(waiting()).containsExactly("later");
        assertThat(woken).hasValue(1);
    }

    @Test
    void a_moved_message_says_what_was_scheduled() {
        outbox.dsl.transaction(tx -> outbox.outbox.append(
                tx.dsl(),
                OutboxMessage.to(OutboxFixture.DESTINATION)
                        .id("m")
                        .session("s")
                        .partitionKey("s")
                        .subject("Subject")
                        .correlationId("c")
                        .toAddress("to")
                        .replyTo("r")
                        .replyToSession("rs")
                        .timeToLive(Duration.ofSeconds(5))
                        .scheduledEnqueueTime(LATER)
                        .header("h", 1L)
                        .text("body")
                        .notBefore(LATER)
                        .build()));
        String columns = "destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,"
                + " correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time,"
                + " headers, payload";
        String scheduled =
                outbox.dsl.fetch("select " + columns + " from " + table()).formatCSV();
        comes("m");

        scheduling(outbox.dsl).step();

        assertThat(outbox.dsl
                        .fetch("select " + columns + " from " + outbox.schema.table("outbox_message"))
                        .formatCSV())
                .isEqualTo(scheduled);
    }

    @Test
    void messages_appended_before_and_after_keep_their_order_with_those_that_were_moved() {
        var broker = new RecordingPublisher();
        outbox.append("s", "before");
        schedule("s", "due", PAST);
        scheduling(outbox.dsl).step();
        outbox.append("s", "after");

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("before", "due", "after");
    }

    @Test
    void more_than_a_batch_moves_in_one_step_and_in_order() {
        var ids = IntStream.range(0, 25).mapToObj(i -> "m" + i).toList();
        ids.forEach(id -> schedule("s", id, PAST));

        scheduling(outbox.dsl, 4).step();

        assertThat(outboxIds()).containsExactlyElementsOf(ids);
    }

    @Test
    void what_falls_due_meanwhile_does_not_wait_for_all_of_another_destination() {
        IntStream.range(0, 25).forEach(i -> schedule("s", "m" + i, PAST));
        var told = new ArrayList<String>();
        var scheduling = new Scheduling(
                new ScheduledTable(outbox.dsl, outbox.schema, 4),
                List.of(OutboxFixture.DESTINATION, "stock"),
                destination -> {
                    if (told.isEmpty()) {
                        outbox.execute("insert into $schema.outbox_scheduled (destination, message_id, payload, due_at)"
                                + " values ('stock', 'm', 'x', clock_timestamp())");
                    }
                    told.add(destination);
                },
                new SplittableRandom(1));

        scheduling.step();

        assertThat(told).startsWith("orders", "orders", "stock").hasSize(8);
    }

    @Test
    void a_session_that_is_being_appended_to_waits_and_delays_no_other() throws Exception {
        for (int i = 0; i < 10; i++) {
            schedule("busy", "busy" + i, PAST);
        }
        schedule("free", "m", PAST.plusSeconds(1));
        outbox.dsl.transaction(tx -> outbox.outbox.append(tx.dsl(), message(null, "none", PAST.plusSeconds(2))));
        try (var writer = outbox.open()) {
            outbox.append(writer, "busy", "appended first");

            scheduling(outbox.dsl, 4).step();

            assertThat(outboxIds()).containsExactlyInAnyOrder("m", "none");
            outbox.commit(writer);
        }
        scheduling(outbox.dsl, 4).step();
        assertThat(outboxIds()).startsWith("appended first").hasSize(13);
    }

    @Test
    void a_session_that_is_appended_to_all_the_time_still_has_its_turn() throws Exception {
        schedule("busy", "due", PAST);
        try (var writer = outbox.open()) {
            outbox.append(writer, "busy", "m1");
            var step = CompletableFuture.supplyAsync(() -> moveOf("busy", Duration.ofSeconds(30)));
            await().until(() -> outbox.dsl.fetchExists(
                    DSL.table("pg_locks"),
                    DSL.condition("locktype = 'advisory' and classid = 1463900482 and not granted")));
            outbox.commit(writer);

            assertThat(step.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        }
        assertThat(outboxIds()).containsExactly("m1", "due");
    }

    @Test
    void a_wait_for_a_session_that_takes_too_long_is_given_up() throws Exception {
        schedule("busy", "due", PAST);
        try (var writer = outbox.open()) {
            outbox.append(writer, "busy", "m1");

            assertThat(moveOf("busy", Duration.ofMillis(10))).isZero();
        }
        assertThat(waiting()).containsExactly("due");
    }

    /** As if it had been left. */
    private int moveOf(String session, Duration patience) {
        var table = new ScheduledTable(outbox.dsl, outbox.schema, 10);
        var floor = new DueFloor(OutboxFixture.DESTINATION);
        var moment = table.look(List.of(floor)).moment();
        floor.reach(moment.place(), moment.snapshot());
        return table.moveOf(floor, moment.server(), session, patience);
    }

    @Test
    void two_relays_move_every_message_once_and_each_session_in_order() throws Exception {
        for (int i = 0; i < 400; i++) {
            schedule("s" + i % 7, "m" + i, PAST.plusSeconds(i));
        }

        var relays = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    var scheduling = scheduling(outbox.dsl, 5);
                    while (!waiting().isEmpty()) {
                        scheduling.step();
                    }
                }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(relays).get(50, TimeUnit.SECONDS);

        assertThat(outboxIds()).hasSize(400);
        for (int s = 0; s < 7; s++) {
            int session = s;
            assertThat(outbox.dsl
                            .fetch(
                                    "select message_id from " + outbox.schema.table("outbox_message")
                                            + " where session_id = {0} order by seq",
                                    DSL.inline("s" + s))
                            .getValues(0, String.class))
                    .containsExactlyElementsOf(IntStream.range(0, 400)
                            .filter(i -> i % 7 == session)
                            .mapToObj(i -> "m" + i)
                            .toList());
        }
    }

    @Test
    void a_message_that_is_being_cancelled_keeps_the_later_ones_of_its_session_behind_it() throws Exception {
        schedule("s", "earlier", PAST);
        schedule("s", "cancelled?", PAST.plusSeconds(1));
        schedule("s", "later", PAST.plusSeconds(2));
        schedule("other", "m", PAST.plusSeconds(3));
        try (var tx = outbox.open()) {
            assertThat(outbox.outbox.cancel(tx, OutboxFixture.DESTINATION, "cancelled?"))
                    .isTrue();
            scheduling(outbox.dsl).step();
            assertThat(outboxIds()).containsExactly("earlier", "m");
            tx.rollback();
        }

        scheduling(outbox.dsl).step();

        assertThat(outboxIds()).containsExactly("earlier", "m", "cancelled?", "later");
    }

    @Test
    void a_cancel_after_the_due_time_is_in_time_until_the_message_has_moved() {
        schedule("s", "m1", PAST);
        assertThat(cancel("m1")).isTrue();
        schedule("s", "m2", PAST);
        scheduling(outbox.dsl).step();

        assertThat(cancel("m2")).isFalse();
        assertThat(outboxIds()).containsExactly("m2");
    }

    @Test
    void a_cancel_that_meets_the_move_waits_for_it_and_is_too_late() {
        schedule("s", "m1", PAST);
        var cancelled = new AtomicReference<CompletableFuture<Boolean>>();
        var beforeTheCommit = committing(() -> {
            cancelled.set(CompletableFuture.supplyAsync(() -> cancel("m1")));
            awaitSomeoneWaitingForARow();
        });

        scheduling(beforeTheCommit).step();

        assertThat(cancelled.get()).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
        assertThat(outboxIds()).containsExactly("m1");
    }

    @Test
    void a_cancel_that_meets_a_move_that_fails_is_in_time() {
        schedule("s", "m1", PAST);
        var cancelled = new AtomicReference<CompletableFuture<Boolean>>();
        var failing = committing(() -> {
            cancelled.set(CompletableFuture.supplyAsync(() -> cancel("m1")));
            awaitSomeoneWaitingForARow();
            throw new IllegalStateException("dies before the commit");
        });

        scheduling(failing).step();

        assertThat(cancelled.get()).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
        assertThat(outboxIds()).isEmpty();
    }

    @Test
    void a_schedule_that_meets_the_move_of_the_same_id_waits_as_a_message_of_its_own() {
        schedule("s", "m1", PAST);
        var scheduled = new AtomicReference<CompletableFuture<Void>>();
        var beforeTheCommit = committing(() -> {
            scheduled.set(CompletableFuture.runAsync(() -> schedule("s", "m1", LATER)));
            awaitSomeoneWaitingForARow();
        });

        scheduling(beforeTheCommit).step();

        assertThat(scheduled.get()).succeedsWithin(Duration.ofSeconds(10));
        assertThat(outboxIds()).containsExactly("m1");
        assertThat(waiting()).containsExactly("m1");
    }

    @Test
    void messages_to_destinations_of_other_relays_are_left_to_them() {
        outbox.dsl.transaction(tx -> outbox.outbox.append(
                tx.dsl(), OutboxMessage.to("elsewhere").id("m").notBefore(PAST).build()));

        scheduling(outbox.dsl).step();

        assertThat(waiting()).containsExactly("m");
    }

    @Test
    void the_rest_ends_when_the_next_message_is_due_and_is_never_longer_than_a_second() {
        assertThat(scheduling(outbox.dsl).step()).isEqualTo(Duration.ofSeconds(1));
        schedule("s", "far", LATER);
        assertThat(scheduling(outbox.dsl).step()).isEqualTo(Duration.ofSeconds(1));
        outbox.execute("update $schema.outbox_scheduled set due_at = clock_timestamp() + interval '700 ms'");
        assertThat(scheduling(outbox.dsl).step()).isLessThanOrEqualTo(Duration.ofMillis(700));
    }

    @Test
    void a_due_message_that_somebody_holds_on_to_is_looked_for_again_soon() throws Exception {
        schedule("s", "m", PAST);
        try (var tx = outbox.open()) {
            outbox.outbox.cancel(tx, OutboxFixture.DESTINATION, "m");

            assertThat(scheduling(outbox.dsl).step()).isEqualTo(Duration.ofMillis(250));
        }
    }

    @Test
    void a_failing_database_is_waited_out() {
        var broken = outbox.before("select d.destination", () -> {
            throw new IllegalStateException("no database");
        });

        assertThat(scheduling(broken).step()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_relay_that_dies_before_the_sessions_are_locked_leaves_them_to_the_next() {
        schedule("s", "m1", PAST);

        killedBefore("select session from unnest");

        assertMovedOnce("m1");
    }

    @Test
    void a_relay_that_dies_before_the_rows_move_leaves_them_to_the_next() {
        schedule("s", "m1", PAST);

        killedBefore("with due");

        assertMovedOnce("m1");
    }

    @Test
    void a_relay_that_dies_between_move_and_commit_leaves_the_rows_where_they_were() {
        schedule("s", "m1", PAST);

        scheduling(committing(this::killOpenTransactions)).step();

        assertThat(outboxIds()).isEmpty();
        assertMovedOnce("m1");
    }

    @Test
    void a_relay_that_dies_after_the_commit_has_moved_the_rows_once() {
        schedule("s", "m1", PAST);
        scheduling(CommitPoint.withLostReply(outbox.dsl)).step();

        assertThat(outboxIds()).containsExactly("m1");
        assertMovedOnce("m1");
    }

    @Test
    void an_application_that_dies_before_the_commit_of_its_cancel_has_cancelled_nothing() {
        schedule("s", "m1", PAST);

        assertThatThrownBy(() -> committing(this::killOpenTransactions)
                        .transaction(tx -> assertThat(outbox.outbox.cancel(tx.dsl(), OutboxFixture.DESTINATION, "m1"))
                                .isTrue()))
                .isInstanceOf(RuntimeException.class);

        assertMovedOnce("m1");
    }

    @Test
    void an_application_that_dies_before_the_commit_of_its_schedule_has_scheduled_nothing() {
        assertThatThrownBy(() -> committing(this::killOpenTransactions)
                        .transaction(tx -> outbox.outbox.append(tx.dsl(), message("s", "m1", PAST))))
                .isInstanceOf(RuntimeException.class);

        scheduling(outbox.dsl).step();
        assertThat(waiting()).isEmpty();
        assertThat(outboxIds()).isEmpty();
    }

    @Test
    void the_relays_role_may_move_what_is_due() throws Exception {
        schedule("s", "m1", PAST);
        try (var role = new TemporaryRole(database, outbox.schema, Role.RELAY)) {
            scheduling(role.dsl()).step();
        }

        assertThat(outboxIds()).containsExactly("m1");
    }

    @Test
    void a_running_relay_publishes_a_message_when_its_time_has_come() {
        var broker = new RecordingPublisher();
        try (var relay = Relay.builder(database.dataSource())
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .build()) {
            relay.start();
            schedule("s", "scheduled", LATER);
            outbox.append("s", "at once");
            await().until(() -> broker.arrived().contains("at once"));
            comes("scheduled");

            await().atMost(30, TimeUnit.SECONDS).until(() -> broker.arrived().contains("scheduled"));
        }
    }

    private void killedBefore(String statement) {
        scheduling(outbox.before(statement, this::killOpenTransactions)).step();
        assertThat(outboxIds()).isEmpty();
    }

    private void assertMovedOnce(String... ids) {
        var successor = scheduling(outbox.dsl);
        successor.step();
        successor.step();
        assertThat(outboxIds()).containsExactly(ids);
        assertThat(waiting()).isEmpty();
    }

    private void killOpenTransactions() {
        CommitPoint.killOpenTransactions(outbox);
    }

    private DSLContext committing(Runnable beforeTheCommit) {
        return CommitPoint.before(outbox.dsl, beforeTheCommit);
    }

    private void awaitSomeoneWaitingForARow() {
        await().until(() -> outbox.dsl.fetchExists(
                DSL.table("pg_stat_activity"),
                DSL.condition("wait_event_type = 'Lock' and query like '%" + outbox.schema + "%'")));
    }

    private Scheduling scheduling(DSLContext dsl) {
        return scheduling(dsl, 100);
    }

    private Scheduling scheduling(DSLContext dsl, int batchRows) {
        return new Scheduling(
                new ScheduledTable(dsl, outbox.schema, batchRows),
                List.of(OutboxFixture.DESTINATION),
                destination -> woken.incrementAndGet(),
                new SplittableRandom(1));
    }

    private void schedule(String session, String id, Instant due) {
        outbox.dsl.transaction(tx -> outbox.outbox.append(tx.dsl(), message(session, id, due)));
    }

    private static OutboxMessage message(@Nullable String session, String id, Instant due) {
        var builder =
                OutboxMessage.to(OutboxFixture.DESTINATION).id(id).text(id).notBefore(due);
        return (session == null ? builder : builder.session(session)).build();
    }

    private boolean cancel(String id) {
        return outbox.dsl.transactionResult(tx -> outbox.outbox.cancel(tx.dsl(), OutboxFixture.DESTINATION, id));
    }

    private void comes(String id) {
        outbox.dsl.execute(
                "update " + table() + " set due_at = clock_timestamp() where message_id = {0}", DSL.inline(id));
    }

    private String table() {
        return outbox.schema.table("outbox_scheduled");
    }

    private List<String> waiting() {
        return outbox.dsl
                .fetch("select message_id from " + table() + " order by due_at, id")
                .getValues(0, String.class);
    }

    private List<String> outboxIds() {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_message") + " order by seq")
                .getValues(0, String.class);
    }
}
