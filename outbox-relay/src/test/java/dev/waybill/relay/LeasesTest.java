package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class LeasesTest {
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final AtomicLong clock = new AtomicLong();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_single_relay_owns_every_bucket() {
        var leases = leases();
        leases.beat();

        assertThat(leases.use()).hasSize(32);
    }

    @Test
    void a_second_relay_is_handed_its_half_without_waiting_for_a_lease_to_run_out() {
        var first = leases();
        var second = leases();
        first.beat();
        second.beat();
        assertThat(second.use()).isEmpty();

        first.beat();
        second.beat();

        assertThat(first.ownedBuckets()).hasSize(16);
        assertThat(second.ownedBuckets()).hasSize(16).doesNotContainAnyElementsOf(first.ownedBuckets());
    }

    @Test
    void a_bucket_in_use_is_handed_over_only_when_its_turn_has_ended() {
        var first = leases();
        var second = leases();
        first.beat();
        var turn = first.use();
        second.beat();
        first.beat();
        second.beat();
        assertThat(second.ownedBuckets()).isEmpty();

        first.endUse(turn);
        first.beat();
        second.beat();

        assertThat(second.ownedBuckets()).hasSize(16);
    }

    @Test
    void a_crashed_relays_buckets_are_taken_with_a_higher_epoch() {
        var crashed = leases();
        crashed.beat();
        long epoch = crashed.use().get(0).epoch();
        outbox.expireLeases();

        var successor = leases();
        successor.beat();

        assertThat(successor.use()).hasSize(32).allMatch(lease -> lease.epoch() > epoch);
    }

    @Test
    void a_relay_that_lost_its_buckets_learns_it_with_its_next_beat() {
        var zombie = leases();
        zombie.beat();
        outbox.expireLeases();
        leases().beat();

        zombie.beat();

        assertThat(zombie.use()).isEmpty();
    }

    @Test
    void a_lease_is_not_trusted_once_it_may_have_run_out() {
        var leases = leases();
        leases.beat();
        var lease = leases.use().get(0);

        clock.addAndGet(LEASE.toNanos() * 3 / 4 - 1);
        assertThat(leases.hasTimeLeft(lease)).isTrue();
        clock.addAndGet(1);

        assertThat(leases.hasTimeLeft(lease)).isFalse();
        assertThat(leases.use()).isEmpty();
    }

    @Test
    void an_expired_lease_that_nobody_took_is_renewed_under_the_same_epoch() {
        var leases = leases();
        leases.beat();
        long epoch = leases.use().get(0).epoch();
        outbox.expireLeases();

        leases.beat();

        assertThat(leases.use()).hasSize(32).allMatch(lease -> lease.epoch() == epoch);
    }

    @Test
    void a_relay_so_slow_that_its_own_beat_has_run_out_claims_all_the_same() {
        var late = outbox.before("select count(*)", outbox::expireLeases);
        var leases =
                new Leases(new LeaseTable(outbox.schema.in(late), UUID.randomUUID(), LEASE), "slow", LEASE, clock::get);

        leases.beat();

        assertThat(leases.ownedBuckets()).hasSize(32);
    }

    @Test
    void a_stopped_relay_leaves_its_buckets_to_the_next_at_once() {
        var stopped = leases();
        stopped.beat();
        stopped.releaseAll();

        var next = leases();
        next.beat();

        assertThat(next.ownedBuckets()).hasSize(32);
    }

    private Leases leases() {
        var table = new LeaseTable(outbox.schema.in(outbox.dsl), UUID.randomUUID(), LEASE);
        return new Leases(table, "test", LEASE, clock::get);
    }
}
