package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.WireContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every mistake that the design avoids, made on purpose, with the one interleaving that shows the damage; and the same
 * interleaving without the mistake. A test here fails if the interleaving could not tell the two apart.
 */
@ExtendWith(PostgresExtension.class)
class PlantedBugTest {
    /** Of pages that take as many as there are lanes. */
    private static final int MANY_LATE = 2 * WireContract.BUCKETS + 3;

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private String one;
    private String other;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        List<String> sessions = outbox.sessionsOfOneBucket(2);
        one = sessions.get(0);
        other = sessions.get(1);
    }

    @Test
    void a_watermark_loses_what_commits_late() throws Exception {
        assertThat(lateCommit(PlantedReaders.watermark())).containsExactly("fast");
    }

    @Test
    void the_snapshot_cursor_finds_what_commits_late() throws Exception {
        assertThat(lateCommit(UnaryOperator.identity())).containsExactly("fast", "slow");
    }

    @Test
    void leaving_out_the_range_above_xmax_loses_the_newer_of_two_transactions() throws Exception {
        assertThat(newerTransactionCommitsLast(PlantedReaders.withoutRangeAboveXmax()))
                .containsExactly("older");
    }

    @Test
    void the_range_above_xmax_finds_the_newer_of_two_transactions() throws Exception {
        assertThat(newerTransactionCommitsLast(UnaryOperator.identity())).containsExactly("older", "newer");
    }

    @Test
    void a_page_limit_on_the_late_part_loses_the_rest_of_it() throws Exception {
        assertThat(manyLateRows(PlantedReaders.lateCutOffByThePage())).hasSizeLessThan(MANY_LATE + 1);
    }

    @Test
    void late_rows_read_in_pages_all_arrive() throws Exception {
        assertThat(manyLateRows(UnaryOperator.identity()))
                .containsExactlyElementsOf(
                        Stream.concat(Stream.of("fast"), late()).toList());
    }

    @Test
    void an_xmin_gate_stalls_everything_behind_one_open_transaction() throws Exception {
        assertThat(behindAnOpenTransaction(PlantedReaders.xminGate(outbox))).isEmpty();
    }

    @Test
    void the_snapshot_cursor_does_not_wait_for_an_open_transaction() throws Exception {
        assertThat(behindAnOpenTransaction(UnaryOperator.identity())).containsExactly("m1");
    }

    @Test
    void claims_that_skip_locked_rows_reorder_a_session() throws Exception {
        outbox.append(one, "first", "second");
        try (Connection slow = outbox.open();
                Connection quick = outbox.open()) {
            String bySlow = PlantedReaders.claimUnlocked(outbox, slow);
            String byQuick = PlantedReaders.claimUnlocked(outbox, quick);

            assertThat(List.of(byQuick, bySlow)).as("in order of arrival").containsExactly("second", "first");
        }
    }

    @Test
    void a_range_delete_loses_what_was_not_read() throws Exception {
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.append(other, "fast");
        long lastRead = outbox.dsl
                .fetchSingle("select max(seq) from " + outbox.schema.table("outbox_message"))
                .get(0, Long.class);
        outbox.commit(slow);

        outbox.execute("delete from $schema.outbox_message where seq <= " + lastRead);

        assertThat(outbox.rowsIn("outbox_message"))
                .as("nobody has read the slow row")
                .isZero();
    }

    @Test
    void a_sequence_value_drawn_before_the_transaction_id_loses_a_row() throws Exception {
        outbox.rebuildMessageTable("seq", "gate", "xid");

        assertThat(writerPausesBetweenItsDefaults()).containsExactly("fast");
    }

    @Test
    void a_transaction_id_assigned_before_the_sequence_value_loses_nothing() throws Exception {
        outbox.rebuildMessageTable("xid", "gate", "seq");

        assertThat(writerPausesBetweenItsDefaults()).containsExactly("fast", "slow");
    }

    @Test
    void a_sequence_with_a_cache_loses_what_is_drawn_from_it_later() throws Exception {
        outbox.execute("alter sequence $schema.outbox_message_seq cache 10");

        assertThat(twoConnectionsTakeTurns()).containsExactly("m0", "m1");
    }

    @Test
    void a_sequence_without_a_cache_loses_nothing() throws Exception {
        assertThat(twoConnectionsTakeTurns()).containsExactly("m0", "m1", "m2");
    }

    @Test
    void a_ring_that_looks_before_it_locks_loses_what_commits_in_between() throws Exception {
        assertThat(lateCommitWhileTheRingTurns(slow -> {
                    boolean needed = outbox.dsl
                            .fetchSingle(
                                    "select exists (select from $schema.outbox_row m left join $schema.outbox_cursor c using (destination, bucket) where c.position is null or m.seq > c.position or not pg_visible_in_snapshot(m.xid, c.snapshot))"
                                            .replace("$schema", outbox.schema.value()))
                            .get(0, Boolean.class);
                    assertThat(needed).isFalse();
                    outbox.commit(slow);
                    outbox.execute("truncate $schema.outbox_message_0");
                }))
                .containsExactly("first", "fast");
    }

    @Test
    void a_ring_that_ignores_snapshots_loses_what_the_cursor_has_passed_without_seeing() throws Exception {
        assertThat(lateCommitWhileTheRingTurns(slow -> {
                    outbox.commit(slow);
                    outbox.execute("truncate $schema.outbox_message_0");
                }))
                .containsExactly("first", "fast");
    }

    @Test
    void a_ring_that_looks_under_its_lock_loses_nothing() throws Exception {
        assertThat(lateCommitWhileTheRingTurns(slow -> Ring.ofMessages(
                                outbox.before("lock table", () -> outbox.commit(slow)), outbox.schema)
                        .turn()))
                .containsExactly("first", "fast", "slow");
    }

    @Test
    void writers_without_the_session_lock_arrive_in_another_order_than_they_committed() throws Exception {
        var first = outbox.open();
        insertWithoutLock(first, "drawn first, committed last");
        var second = outbox.open();
        insertWithoutLock(second, "drawn last, committed first");
        outbox.commit(second);
        outbox.commit(first);

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("drawn first, committed last", "drawn last, committed first");
    }

    @Test
    void a_settle_without_a_fence_lets_a_former_owner_record_what_it_believes() {
        assertThat(recordedByAFormerOwner(outbox.rewriting(sql -> sql.replaceFirst(
                        "and l\\.epoch = s\\.epoch and l\\.owner = (.*?)\\s+where", "and $1 is not null where"))))
                .isTrue();
    }

    @Test
    void a_fenced_settle_records_nothing_of_a_former_owner() {
        assertThat(recordedByAFormerOwner(outbox.dsl)).isFalse();
    }

    @Test
    void a_loop_that_reads_only_when_the_sequence_moves_misses_the_last_message_of_a_quiet_system() throws Exception {
        var relay = outbox.relay(broker).started();
        relay.run();
        var activity = new Activity(outbox.clock);
        assertThat(lastMessageOfAQuietSystem(() -> {
                    if (activity.isRecent(
                            java.util.Objects.requireNonNull(relay.turn().peek())
                                    .drawn())) {
                        relay.run();
                    }
                }))
                .isEmpty();
    }

    @Test
    void a_loop_that_reads_in_full_from_time_to_time_finds_the_last_message_of_a_quiet_system() throws Exception {
        var relay = outbox.relay(broker).started();
        var loop = outbox.loop(relay);
        assertThat(lastMessageOfAQuietSystem(loop::step)).containsExactly("last");
    }

    private List<String> lateCommit(UnaryOperator<OutboxReader> reader) throws SQLException {
        var relay = outbox.relay(broker, 100, reader).started();
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.append(other, "fast");
        relay.run();
        outbox.commit(slow);
        relay.run();
        return broker.arrived();
    }

    private List<String> newerTransactionCommitsLast(UnaryOperator<OutboxReader> reader) throws SQLException {
        var relay = outbox.relay(broker, 100, reader).started();
        var older = outbox.open();
        DSL.using(older).execute("select pg_current_xact_id()");
        var newer = outbox.open();
        outbox.append(newer, one, "newer");
        outbox.append(older, other, "older");
        outbox.commit(older);
        relay.run();
        outbox.commit(newer);
        relay.run();
        return broker.arrived();
    }

    private static Stream<String> late() {
        return IntStream.range(0, MANY_LATE).mapToObj(i -> "l" + i);
    }

    private List<String> manyLateRows(UnaryOperator<OutboxReader> reader) throws SQLException {
        var relay = outbox.relay(broker, 1, reader).started();
        var slow = outbox.open();
        outbox.append(slow, one, late().toArray(String[]::new));
        outbox.append(other, "fast");
        relay.run();
        outbox.commit(slow);
        relay.run();
        relay.run();
        return broker.arrived();
    }

    private List<String> behindAnOpenTransaction(UnaryOperator<OutboxReader> reader) throws SQLException {
        try (Connection open = outbox.open()) {
            DSL.using(open).execute("select pg_current_xact_id()");
            outbox.append(one, "m1");
            outbox.relay(broker, 100, reader).started().run();
            open.rollback();
            return broker.arrived();
        }
    }

    /** The table's gate column blocks a writer between its two defaults as long as the test holds the gate. */
    private List<String> writerPausesBetweenItsDefaults() throws Exception {
        var relay = outbox.relay(broker, 100, PlantedReaders.inFull()).started();
        relay.run();
        outbox.letRecordingBeDue();
        // Every 32nd value is logged, which gives its transaction an id; the next ones leave that to the column.
        outbox.execute("select nextval('$schema.outbox_message_seq')");
        try (Connection gate = outbox.open()) {
            DSL.using(gate).execute("select pg_advisory_xact_lock(4711)");
            var slow = CompletableFuture.runAsync(() -> outbox.execute(
                    "insert into $schema.outbox_message (destination, session_id, message_id, payload) values ('orders', '"
                            + one + "', 'slow', '')"));
            Awaitility.await()
                    .until(() -> outbox.dsl.fetchExists(
                            DSL.table("pg_locks"),
                            DSL.condition("locktype = 'advisory' and objid = 4711 and not granted")));
            outbox.execute(
                    "insert into $schema.outbox_message (gate, destination, session_id, message_id, payload) values ('', 'orders', '"
                            + other + "', 'fast', '')");
            relay.run();
            gate.rollback();
            slow.get(10, TimeUnit.SECONDS);
        }
        relay.run();
        return broker.arrived();
    }

    private List<String> twoConnectionsTakeTurns() throws SQLException {
        var relay = outbox.relay(broker, 100, PlantedReaders.inFull()).started();
        relay.run();
        outbox.letRecordingBeDue();
        try (Connection a = outbox.open();
                Connection b = outbox.open()) {
            outbox.append(a, one, "m0");
            a.commit();
            outbox.append(b, one, "m1");
            b.commit();
            relay.run();
            outbox.append(a, one, "m2");
            a.commit();
            DSL.using(a).execute("discard sequences");
        }
        relay.run();
        return broker.arrived();
    }

    private List<String> lateCommitWhileTheRingTurns(RingTurn turn) throws SQLException {
        var relay = outbox.relay(broker).started();
        outbox.append(other, "first");
        relay.run();
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.enterNextPartition();
        outbox.append(other, "fast");
        relay.run();
        turn.with(slow);
        relay.run();
        return broker.arrived();
    }

    /** The old owner does not know yet that its lanes were taken when it sends and settles. */
    private boolean recordedByAFormerOwner(DSLContext oldOwnersConnection) {
        var old = outbox.relay(broker, oldOwnersConnection).started();
        outbox.append(one, "m1");
        old.run();
        outbox.expireLeases();
        outbox.relay(broker).started();
        outbox.append(one, "m2");

        old.run();

        assertThat(broker.arrived()).containsExactly("m1", "m2");
        return outbox.rowsIn("outbox_progress") > 1;
    }

    private List<String> lastMessageOfAQuietSystem(Runnable step) throws SQLException {
        var slow = outbox.open();
        outbox.append(slow, one, "last");
        for (int i = 0; i < 20; i++) {
            step.run();
            outbox.clock.advanceMillis(10);
        }
        outbox.commit(slow);
        for (int i = 0; i < 20; i++) {
            step.run();
            outbox.clock.advanceMillis(10);
        }
        return broker.arrived();
    }

    private void insertWithoutLock(Connection tx, String id) {
        DSL.using(tx)
                .execute("insert into " + outbox.schema.table("outbox_message")
                        + " (destination, session_id, message_id, payload) values ('orders', 's', '" + id + "', '')");
    }

    @FunctionalInterface
    private interface RingTurn {
        void with(Connection slow) throws SQLException;
    }
}
