package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import dev.waybill.relay.RelayBeats.LoopReport;
import dev.waybill.relay.RelayTables.Source;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which relay owns which lane, when it changes hands, and who learns of it. */
@ExtendWith(PostgresExtension.class)
class LaneOwnershipTest {
    private static final long LEASE_MILLIS = OutboxFixture.LEASE.toMillis();
    private static final Duration LONG = Duration.ofHours(1);

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_single_relay_owns_all_lanes() {
        assertThat(contender(broker).started().buckets()).hasSize(32);
    }

    @Test
    void a_second_relay_is_handed_its_half_without_waiting_for_a_lease_to_run_out() {
        var first = contender(broker).started();
        var second = contender(broker).started();
        assertThat(second.buckets()).isEmpty();

        first.look();
        second.look();

        assertThat(first.buckets()).hasSize(16);
        assertThat(second.buckets()).hasSize(16).doesNotContainAnyElementsOf(first.buckets());
    }

    @Test
    void a_lane_in_use_is_handed_over_only_when_what_is_on_its_way_is_settled() {
        var slow = new HeldBackPublisher(broker, shipment -> true);
        var first = contender(slow).started();
        IntStream.range(0, 200).forEach(i -> outbox.append("s" + i, "m" + i));
        List<Short> busy = outbox.dsl
                .fetch("select distinct bucket from " + outbox.schema.table("outbox_row"))
                .getValues(0, Short.class);
        assertThat(busy).hasSize(32);
        first.relay.turn().step(true);
        var second = contender(broker).started();

        first.look();
        second.look();
        assertThat(second.buckets()).isEmpty();
        slow.answer();
        first.relay.run();
        second.look();

        assertThat(second.buckets()).hasSize(16);
        assertThat(outbox.rowsIn("outbox_progress")).isEqualTo(32);
    }

    @Test
    void a_relay_without_lanes_notices_however_late_that_one_has_become_free() {
        var first = contender(broker).started();
        var second = contender(broker).started();
        var loop = outbox.loop(second.relay);
        takeSteps(loop);

        first.look();
        assertThat(first.buckets()).hasSize(16);
        takeSteps(loop);

        assertThat(second.buckets()).hasSize(16);
    }

    @Test
    void a_crashed_relays_lanes_are_taken_with_a_higher_epoch_and_count_as_orphaned() {
        contender(broker).started();
        long epoch = highestEpoch();
        outbox.expireLeases();

        assertThat(claims(outbox.dsl))
                .hasSize(32)
                .allMatch(claim -> claim.epoch() > epoch)
                .allMatch(LaneTable.Claim::orphaned);
    }

    @Test
    void a_loop_that_hangs_in_a_living_relay_loses_its_lanes_without_suspicion() {
        var hanging = contender(broker).started();
        outbox.clock.advanceMillis(LEASE_MILLIS + 1);
        hanging.relay.heartbeat().beat();

        assertThat(claims(outbox.dsl)).hasSize(32).noneMatch(LaneTable.Claim::orphaned);
    }

    @Test
    void an_owner_whose_time_runs_out_between_the_two_steps_of_a_claim_keeps_its_lanes() {
        contender(broker).started();
        var inBetween = outbox.before("with live as materialized", () -> outbox.execute("""
                update $schema.relay_beat b set alive_until = 'epoch'
                from $schema.relay_instance i where i.id = b.relay and i.name = 'test'"""));

        assertThat(claims(inBetween)).isEmpty();
        assertThat(claims(outbox.dsl)).hasSize(32);
    }

    @Test
    void relays_with_different_destinations_take_nothing_from_each_other() {
        var first = contender(broker).started();
        var other = UUID.randomUUID();
        beats(other).beat(LONG, List.of(report("invoices")));
        var lanes = new LaneTable(outbox.schema.in(outbox.dsl), outbox.schema, other, "invoices");
        lanes.register(Duration.ZERO);

        assertThat(lanes.claim(32)).hasSize(32);
        first.look();

        assertThat(first.buckets()).hasSize(32);
    }

    @Test
    void a_relay_that_lost_its_lanes_sends_nothing_of_them_any_more() {
        var zombie = contender(broker).started();
        outbox.clock.advanceMillis(LEASE_MILLIS);
        outbox.expireLeases();
        var successor = contender(broker).started();
        outbox.append("s", "m1");

        assertThat(successor.relay.run().published()).isEqualTo(1);
        zombie.beat();
        assertThat(zombie.relay.run().published()).isZero();
        assertThat(zombie.relay.run().published()).isZero();
        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void leases_are_not_trusted_after_three_quarters_of_their_time_and_are_read_again_after_a_lapse() {
        var owner = contender(broker).started();
        long epoch = highestEpoch();
        outbox.append("s", "m1");
        outbox.clock.advanceMillis(LEASE_MILLIS * 3 / 4);

        assertThat(owner.relay.run().published()).isZero();
        owner.relay.heartbeat().beat();
        assertThat(owner.relay.run().published()).isEqualTo(1);
        assertThat(highestEpoch()).isEqualTo(epoch);
    }

    @Test
    void a_loop_that_stalled_reclaims_with_a_doubling_delay_while_others_serve() {
        var first = contender(broker).started();
        var second = contender(broker).started();

        assertThat(reclaimAfter(first, second, 999)).isFalse();
        assertThat(reclaimAfter(first, second, 1_000)).isFalse();
        assertThat(reclaimAfter(first, second, 4_000)).isTrue();
    }

    @Test
    void stalls_of_long_ago_do_not_delay_a_reclaim() {
        var first = contender(broker).started();
        var second = contender(broker).started();
        for (int i = 0; i < 5; i++) {
            reclaimAfter(first, second, 100);
        }
        outbox.clock.advanceMillis(Duration.ofMinutes(10).toMillis());

        assertThat(reclaimAfter(first, second, 1_000)).isTrue();
    }

    @Test
    void a_lane_whose_sends_fate_is_unknown_is_released_only_for_after_the_longest_send() {
        assertReleasedForLater(PublishResult.failed(0, new IllegalStateException("link lost")));
    }

    @Test
    void a_lane_whose_send_failed_without_a_reason_is_released_only_for_after_the_longest_send() {
        assertReleasedForLater(new PublishResult(0, Outcome.UNAVAILABLE, null));
    }

    @Test
    void a_lane_whose_send_ended_short_is_released_only_for_after_the_longest_send() {
        assertReleasedForLater(PublishResult.accepted(0));
    }

    private void assertReleasedForLater(PublishResult unknown) {
        var first = contender(broker).started();
        outbox.append(sessionOfBucket(31), "m1");
        broker.behave(shipment -> unknown);
        first.relay.run();
        var second = contender(broker).started();

        first.look();
        second.look();
        assertThat(first.buckets()).hasSize(16);
        assertThat(second.buckets()).hasSize(15).doesNotContain((short) 31);
        outbox.execute("update $schema.outbox_lane set available_at = clock_timestamp() where owner is null");
        second.look();

        assertThat(second.buckets()).hasSize(16);
    }

    @Test
    void a_lane_whose_sends_fate_is_unknown_is_not_released_sooner_because_the_database_failed_meanwhile() {
        var lost = new AtomicBoolean();
        var first = contender(broker, outbox.rewriting(sql -> {
                    if (lost.getAndSet(false)) {
                        throw new IllegalStateException("connection lost");
                    }
                    return sql;
                }))
                .started();
        outbox.append(sessionOfBucket(31), "m1");
        broker.behave(shipment -> PublishResult.failed(0, new IllegalStateException("link lost")));
        first.relay.run();
        var second = contender(broker).started();
        lost.set(true);
        assertThatThrownBy(() -> first.relay.turn().step(true)).hasMessageContaining("connection lost");

        first.look();
        second.look();

        assertThat(first.buckets()).hasSize(16);
        assertThat(second.buckets()).hasSize(15).doesNotContain((short) 31);
    }

    @Test
    void a_send_that_was_begun_before_a_lapse_does_not_go_on_after_it() {
        var slow = new HeldBackPublisher(broker, shipment -> true);
        var zombie = contender(slow).started();
        outbox.append("s", "m1");
        zombie.relay.turn().step(true);
        outbox.clock.advanceMillis(LEASE_MILLIS);
        outbox.expireLeases();
        var successor = contender(broker).started();
        assertThat(successor.relay.run().published()).isEqualTo(1);

        zombie.beat();
        slow.answer();

        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void a_relay_that_leaves_begins_no_more_sends_while_it_waits_for_those_under_way() {
        var slow = new HeldBackPublisher(broker, shipment -> true);
        var first = contender(slow).started();
        outbox.append("s", "m1");
        first.relay.turn().step(true);

        first.relay.turn().leave(Duration.ZERO);
        beats(first.id).leave();
        var second = contender(broker).started();
        assertThat(second.relay.run().published()).isEqualTo(1);
        slow.answer();

        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    @Timeout(30)
    void a_relay_that_leaves_without_a_database_waits_for_what_is_under_way() {
        var lost = new AtomicBoolean();
        var answer = new CompletableFuture<PublishResult>();
        var first = contender(unanswered(answer), outbox.rewriting(sql -> {
                    if (lost.getAndSet(false)) {
                        throw new IllegalStateException("connection lost");
                    }
                    return sql;
                }))
                .started();
        outbox.append("s", "m1");
        first.relay.turn().step(true);
        lost.set(true);
        assertThatThrownBy(() -> first.relay.turn().step(true)).hasMessageContaining("connection lost");
        answer.completeOnTimeout(PublishResult.accepted(1), 200, TimeUnit.MILLISECONDS);

        first.relay.turn().leave(Duration.ofSeconds(20));

        assertThat(answer).isDone();
    }

    private static Publisher unanswered(CompletableFuture<PublishResult> answer) {
        return new Publisher() {
            @Override
            public CompletionStage<PublishResult> publish(Shipment shipment) {
                return answer;
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void a_living_relay_does_not_count_as_dead_when_its_sign_of_life_is_in_another_partition() {
        contender(broker).started();
        outbox.execute("select setval('$schema.relay_beat_seq', ((last_value >> 10) + 1) << 10)"
                + " from $schema.relay_beat_seq");
        var second = contender(broker).started();

        assertThat(Ring.ofBeats(outbox.dsl, outbox.schema).turn()).isEmpty();
        second.look();
        assertThat(second.buckets()).isEmpty();
        outbox.expireLeases();

        assertThat(Ring.ofBeats(outbox.dsl, outbox.schema).turn()).containsExactly(0);
    }

    /** The first stalls, the second takes its lanes; whether the first claims some when it is back for so long. */
    private boolean reclaimAfter(Contender first, Contender second, long millis) {
        outbox.clock.advanceMillis(LEASE_MILLIS + 1);
        first.relay.heartbeat().beat();
        second.beat();
        second.relay.run();
        second.look();
        assertThat(second.buckets()).hasSize(32);
        first.beat();
        second.look();
        first.relay.run();
        outbox.clock.advanceMillis(millis);
        first.look();
        return first.buckets().size() == 16;
    }

    private void takeSteps(DestinationLoop loop) {
        for (int i = 0; i < 20; i++) {
            loop.step();
            outbox.clock.advanceMillis(250);
        }
    }

    /** The lanes that another relay gets when it claims once. */
    private List<LaneTable.Claim> claims(DSLContext dsl) {
        var relay = UUID.randomUUID();
        beats(relay).beat(LONG, List.of(report(OutboxFixture.DESTINATION)));
        return new LaneTable(outbox.schema.in(dsl), outbox.schema, relay, OutboxFixture.DESTINATION).claim(32);
    }

    private RelayBeats beats(UUID relay) {
        return new RelayBeats(outbox.schema.in(outbox.dsl), outbox.schema, relay, "other", true);
    }

    private static LoopReport report(String destination) {
        return new LoopReport(destination, true, "flowing", Duration.ZERO, "");
    }

    private String sessionOfBucket(int bucket) {
        return outbox.dsl
                .fetchSingle("select 's' || n from generate_series(1, 10000) n"
                        + " where hashtextextended(('s' || n) collate \"C\", 0) & 31 = " + bucket + " limit 1")
                .get(0, String.class);
    }

    private long highestEpoch() {
        return outbox.dsl
                .fetchSingle("select max(epoch) from " + outbox.schema.table("outbox_lane"))
                .get(0, Long.class);
    }

    private Contender contender(Publisher publisher) {
        return contender(publisher, outbox.dsl);
    }

    private Contender contender(Publisher publisher, DSLContext connections) {
        var id = UUID.randomUUID();
        return new Contender(
                id, outbox.relay(publisher, connections, Source.of(outbox.schema, id, 100, System::nanoTime)));
    }

    /** A relay whose lanes the test can tell. */
    private final class Contender {
        private final UUID id;
        private final RelayUnderTest relay;

        Contender(UUID id, RelayUnderTest relay) {
            this.id = id;
            this.relay = relay;
        }

        Contender started() {
            relay.started();
            return this;
        }

        void beat() {
            relay.liveness().moved();
            relay.heartbeat().beat();
        }

        void look() {
            relay.turn().takeLanes();
        }

        List<Short> buckets() {
            return outbox.dsl
                    .fetch(
                            "select bucket from " + outbox.schema.table("outbox_lane")
                                    + " where owner = {0} and destination = {1}",
                            DSL.val(id),
                            DSL.val(OutboxFixture.DESTINATION))
                    .getValues(0, Short.class);
        }
    }
}
