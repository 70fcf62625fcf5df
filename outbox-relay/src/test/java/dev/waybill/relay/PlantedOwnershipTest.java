package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.RelayBeats.LoopReport;
import dev.waybill.relay.RelayTables.Source;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Mistakes of leases and of the reads for many lanes, made on purpose; and the same interleavings without them. */
@ExtendWith(PostgresExtension.class)
class PlantedOwnershipTest {
    private static final LoopReport MOVES =
            new LoopReport(OutboxFixture.DESTINATION, true, "flowing", Duration.ZERO, "");

    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;
    private String one;
    private String other;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        List<String> sessions = outbox.sessionsOfOneBucket(2);
        one = sessions.get(0);
        other = sessions.get(1);
    }

    @Test
    void a_claim_judged_in_one_statement_steals_from_a_beat_under_way() throws Exception {
        try (Connection beat = aBeatUnderWay()) {
            DSLContext withoutLock =
                    outbox.rewriting(sql -> sql.startsWith("select i.id from") ? sql.replace("for update", "") : sql);

            assertThat(claim(withoutLock)).hasSize(32);
            beat.commit();
        }
    }

    @Test
    void a_claim_in_two_steps_waits_for_a_beat_under_way_and_takes_nothing() throws Exception {
        try (Connection beat = aBeatUnderWay()) {
            assertThat(claim(outbox.dsl)).isEmpty();
            beat.commit();
        }
        assertThat(claim(outbox.dsl)).isEmpty();
    }

    @Test
    void a_lease_that_is_renewed_whatever_the_loop_does_keeps_its_lanes_for_ever() {
        assertThat(lanesOfAHungLoop(Duration.ofDays(10_000))).isEmpty();
    }

    @Test
    void a_loop_that_hangs_loses_its_lanes() {
        assertThat(lanesOfAHungLoop(OutboxFixture.LEASE)).hasSize(32);
    }

    @Test
    void late_rows_judged_by_one_lanes_snapshot_lose_those_of_a_lane_that_was_busy() throws Exception {
        assertThat(lateInALaneThatWasBusy(PlantedReaders.lateByOneSnapshot())).doesNotContain("slow");
    }

    @Test
    void late_rows_judged_by_each_lanes_own_snapshot_are_found() throws Exception {
        assertThat(lateInALaneThatWasBusy(PlantedReaders.inFull())).contains("slow");
    }

    @Test
    void a_page_cut_at_its_bytes_and_taken_for_the_whole_lane_loses_the_rest() {
        assertThat(moreThanAPage(PlantedReaders.cutTakenForWhole())).hasSizeLessThan(20);
    }

    @Test
    void a_page_cut_at_its_bytes_is_followed_by_the_rest() {
        assertThat(moreThanAPage(PlantedReaders.inFull())).hasSize(20);
    }

    @Test
    void a_status_by_position_alone_calls_published_what_nobody_has_sent() throws Exception {
        assertThat(statusOfALateRow("select count(*) from $schema.outbox_row m"
                        + " join $schema.outbox_cursor c using (destination, bucket) where m.seq <= c.position"))
                .isEqualTo(2);
    }

    @Test
    void the_status_counts_a_row_as_published_only_once_it_was_seen() throws Exception {
        assertThat(statusOfALateRow("select count(*) from $schema.outbox_message_status where status = 'published'"))
                .isEqualTo(1);
    }

    @Test
    void a_head_read_whose_rows_may_lie_in_another_partition_loses_what_commits_there() throws Exception {
        assertThat(lateInThePartitionBefore(AlwaysInOneBlock::new)).containsExactly("m1", "m2");
    }

    @Test
    void a_head_read_that_knows_where_its_rows_lie_loses_nothing() throws Exception {
        assertThat(lateInThePartitionBefore(UnaryOperator.identity())).containsExactly("m1", "m2", "slow");
    }

    @Test
    void a_cursor_that_survives_its_connection_is_recorded_on_another_server() throws Exception {
        assertThat(recordedByAnotherProcess(sql -> sql.contains("outbox_progress")
                        ? sql.replaceFirst("c\\.token = (\\S+)", "$1 is not null")
                        : sql))
                .isPositive();
    }

    // A server that has crashed and come back has the same timeline, and may have lost what was read from it.
    @Test
    void a_cursor_that_belongs_to_a_timeline_is_recorded_after_the_server_has_crashed() throws Exception {
        String timeline = "(select timeline_id from pg_control_checkpoint())";
        int before = outbox.dsl.fetchSingle("select " + timeline).get(0, Integer.class);
        assertThat(recordedByAnotherProcess(sql -> sql.contains("outbox_progress")
                        ? sql.replaceFirst("c\\.token = (\\S+)", "$1 is not null and " + timeline + " = " + before)
                        : sql))
                .isPositive();
    }

    @Test
    void a_cursor_is_not_recorded_through_another_server_process() throws Exception {
        assertThat(recordedByAnotherProcess(UnaryOperator.identity())).isZero();
    }

    /** An owner whose time has run out is about to commit a sign of life. */
    private Connection aBeatUnderWay() throws Exception {
        var owner = UUID.randomUUID();
        outbox.relay(broker, outbox.dsl, Source.of(outbox.schema, owner, 100, System::nanoTime))
                .started();
        outbox.expireLeases();
        Connection beat = outbox.open();
        beats(DSL.using(beat, SQLDialect.POSTGRES), owner).beat(Duration.ofHours(1), List.of(MOVES));
        return beat;
    }

    private List<LaneTable.Claim> lanesOfAHungLoop(Duration longestStep) {
        var hung = UUID.randomUUID();
        var relay = outbox.relay(broker, outbox.dsl, Source.of(outbox.schema, hung, 100, System::nanoTime))
                .started();
        var liveness = new Liveness(OutboxFixture.DESTINATION, longestStep, outbox.clock);
        liveness.becomeReady();
        outbox.clock.advanceMillis(OutboxFixture.LEASE.toMillis() + 1);
        new Heartbeat(
                        beats(outbox.dsl, hung),
                        List.of(liveness),
                        new Trouble(outbox.clock, () -> {}),
                        OutboxFixture.LEASE,
                        outbox.clock,
                        () -> {})
                .beat();
        assertThat(relay.turn().isQuiet()).isTrue();
        return claim(outbox.dsl);
    }

    private List<LaneTable.Claim> claim(DSLContext dsl) {
        var relay = UUID.randomUUID();
        beats(outbox.dsl, relay).beat(Duration.ofHours(1), List.of(MOVES));
        return new LaneTable(outbox.schema.in(dsl), outbox.schema, relay, OutboxFixture.DESTINATION).claim(32);
    }

    private RelayBeats beats(DSLContext dsl, UUID relay) {
        return new RelayBeats(outbox.schema.in(dsl), outbox.schema, relay, "test", true);
    }

    private List<String> lateInALaneThatWasBusy(UnaryOperator<OutboxReader> reader) throws Exception {
        var slowBroker = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).messageId().equals("busy"));
        var relay = outbox.relay(slowBroker, 100, reader).started();
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.append(other, "busy");
        relay.turn().step(true);
        outbox.commit(slow);
        outbox.append("s of another lane", "elsewhere");
        relay.turn().step(true);
        slowBroker.answer();
        relay.run();
        relay.run();
        assertThat(broker.arrived()).contains("busy", "elsewhere");
        return broker.arrived();
    }

    private List<String> moreThanAPage(UnaryOperator<OutboxReader> reader) {
        outbox.execute("""
                insert into $schema.outbox_message (destination, session_id, message_id, payload)
                select 'orders', 's', 'm' || n, convert_to(repeat('x', 500000), 'UTF8') from generate_series(1, 20) n""");
        outbox.relay(broker, 100, reader).started().run();
        return broker.arrived();
    }

    private long statusOfALateRow(String select) throws Exception {
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.append(other, "fast");
        outbox.relay(broker).started().run();
        outbox.commit(slow);
        assertThat(broker.arrived()).containsExactly("fast");
        return outbox.dsl
                .fetchSingle(select.replace("$schema", outbox.schema.value()))
                .get(0, Long.class);
    }

    private List<String> lateInThePartitionBefore(UnaryOperator<OutboxReader> reader) throws Exception {
        var relay = outbox.relay(broker, 100, reader).started();
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.enterNextPartition();
        outbox.append(other, "m1");
        relay.run();
        outbox.append(other, "m2");
        relay.run();
        outbox.commit(slow);
        relay.run();
        relay.run();
        return broker.arrived();
    }

    /** The loop's connection loses its token between the send and the settle, as behind a pooler. */
    private long recordedByAnotherProcess(UnaryOperator<String> mistake) throws Exception {
        try (Connection own = database.dataSource().getConnection()) {
            DSLContext connections =
                    OutboxFixture.rewriting(DSL.using(outbox.dsl.configuration().derive(own)), mistake);
            broker.behave(shipment -> {
                DSL.using(own).execute("set waybill.loop = 'another'");
                return PublishResult.accepted(shipment.rows().size());
            });
            outbox.append(one, "m1");
            var relay = outbox.relay(broker, connections).started();
            try {
                relay.run();
            } catch (ServerChangedException e) {
                assertThat(e).hasMessageContaining("Another server process");
            }
            assertThat(broker.arrived()).isNotEmpty().containsOnly("m1");
            return outbox.rowsIn("outbox_progress");
        }
    }

    /** Believes that whatever a lane has not seen lies in its block. */
    private static final class AlwaysInOneBlock extends PlantedReaders.Wrapped {
        private final OutboxReader right;

        AlwaysInOneBlock(OutboxReader right) {
            super(right);
            this.right = right;
        }

        @Override
        public @Nullable Page readHead(Map<Lane, Cursor> cursors, PageLimit limit) {
            cursors.values().forEach(cursor -> right.recorded(new Cursor(cursor.position(), cursor.snapshot(), 1)));
            return right.readHead(cursors, limit);
        }
    }
}
