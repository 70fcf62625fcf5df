package dev.waybill.relay.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class HeartbeatTest {
    private NewTables tables;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
    }

    @Test
    void a_lease_that_has_run_out_is_not_revived() {
        var relay = new OneRelay(tables, "orders");
        UUID before = relay.id();
        long generation = relay.lease.generation();
        assertThat(relay.claim()).hasSize(1);
        expire();

        assertThat(relay.table.renew(before, OneRelay.LEASE, relay.progress.report()))
                .isFalse();
        relay.heartbeat.beat();

        assertThat(relay.id()).isNotEqualTo(before);
        assertThat(relay.lease.isTrusted()).isTrue();
        assertThat(relay.lease.isTrustedSince(generation)).isFalse();
        assertThat(tables.fetch("select id from $.relay").getValues(0, UUID.class))
                .containsExactly(relay.id());
    }

    @Test
    void a_lapse_that_its_own_relay_notices_counts_as_no_death() {
        var relay = new OneRelay(tables, "orders");
        relay.claim();
        tables.append("orders", "s", "m1");
        expire();
        relay.heartbeat.beat();

        Claim again = relay.claim().get(0);

        assertThat(again.epoch()).isEqualTo(2);
        assertThat(again.previous().died()).isFalse();
        assertThat(again.previous().deaths()).isZero();
    }

    @Test
    void a_heartbeat_that_waited_for_a_lock_until_its_lease_had_run_out_does_not_extend_it() throws Exception {
        var relay = new OneRelay(tables, "orders");
        UUID id = UUID.randomUUID();
        relay.table.insert(id, null, Duration.ofMillis(700), relay.progress.report());
        try (Connection claim = tables.open()) {
            tables.execute(claim, "select from $.relay for update");
            var late =
                    CompletableFuture.supplyAsync(() -> relay.table.renew(id, OneRelay.LEASE, relay.progress.report()));
            tables.execute(claim, "select pg_sleep(1)");
            assertThat(late).isNotDone();
            claim.commit();
            assertThat(late.get()).as("extended").isFalse();
        }
    }

    @Test
    void two_relays_of_one_name_are_two() {
        var one = new OneRelay(tables, "orders");
        var two = new OneRelay(tables, "orders");
        Claim claim = one.claim().get(0);

        assertThat(two.claim()).isEmpty();
        assertThat(two.destinations.release(two.id(), "orders", claim.epoch(), Duration.ZERO))
                .isFalse();
        assertThat(tables.one(Integer.class, "select count(*) from $.relay where name = 'test'"))
                .isEqualTo(2);
    }

    @Test
    void a_loop_that_hangs_serves_nothing_shows_it_and_comes_back_under_a_new_id() {
        var relay = new OneRelay(tables, "orders");
        UUID before = relay.id();
        long generation = relay.lease.generation();
        relay.progress.enter("orders", "idle", "");

        relay.hang();

        assertThat(relay.lease.isTrusted()).isFalse();
        assertThat(relay.lease.generation()).isGreaterThan(generation);
        assertThat(tables.fetch("select alarm, detail from $.relay_alarm").formatCSV())
                .contains("hanging");
        assertThat(tables.one(UUID.class, "select id from $.relay where serving = '{}'"))
                .isEqualTo(before);

        relay.move();
        assertThat(relay.id()).isNotEqualTo(before);
        assertThat(relay.lease.isTrusted()).isTrue();
        assertThat(tables.fetch("select alarm from $.relay_alarm where alarm = 'hanging'"))
                .isEmpty();
    }

    @Test
    void a_lease_is_trusted_for_three_quarters_of_it_and_goes_on_when_it_was_extended_in_time() {
        var relay = new OneRelay(tables, "orders");
        long generation = relay.lease.generation();

        relay.clock.advance(Duration.ofSeconds(45));
        assertThat(relay.lease.isTrusted()).isFalse();
        relay.move();

        assertThat(relay.lease.isTrustedSince(generation)).isTrue();
    }

    @Test
    void a_heartbeat_that_fails_is_waited_out_and_the_lease_runs_out_meanwhile() {
        var relay = new OneRelay(tables, "orders");
        tables.execute("alter table $.relay rename to gone");
        relay.clock.advance(Duration.ofSeconds(20));

        assertThat(relay.heartbeat.step()).isEqualTo(Duration.ofSeconds(6));
        assertThat(relay.lease.isTrusted()).isTrue();
        relay.clock.advance(Duration.ofSeconds(25));
        assertThat(relay.lease.isTrusted()).isFalse();

        tables.execute("alter table $.gone rename to relay");
        assertThat(relay.heartbeat.step()).isEqualTo(Duration.ofSeconds(20));
        assertThat(relay.lease.isTrusted()).isTrue();
    }

    @Test
    void states_are_written_with_trouble_beside_them() {
        var relay = new OneRelay(tables, "orders", "bills");
        relay.progress.succeeded("orders", 3);
        relay.progress.enter("bills", LoopProgress.FAILING, "no\0 right");
        relay.progress.backgroundFailed("the mover fails");
        relay.move();

        assertThat(tables.fetch("select serving::text, destinations::text, states::text, details::text from $.relay")
                        .formatCSV())
                .contains("\"{orders,bills}\",\"{orders,bills,NULL}\",\"{flowing,failing,failing}\"")
                .contains("no  right");
        assertThat(tables.fetch("select alarm from $.relay_alarm").getValues(0, String.class))
                .contains("database");
    }

    @Test
    void a_relay_that_stops_is_gone_and_stays_so() {
        var relay = new OneRelay(tables, "orders");
        relay.claim();

        relay.heartbeat.stop(Duration.ofMinutes(1));
        relay.heartbeat.step();

        assertThat(tables.fetch("select from $.relay")).isEmpty();
        assertThat(tables.one(
                        Boolean.class,
                        "select owner is null and free_at > clock_timestamp() from" + " $.outbox_destination"))
                .isTrue();
        assertThat(relay.lease.isTrusted()).isFalse();
    }

    @Test
    void the_dead_are_forgotten_unless_they_own_something() {
        var owner = new OneRelay(tables, "orders");
        owner.claim();
        new OneRelay(tables, "orders");
        tables.execute("update $.relay set alive_until = clock_timestamp() - interval '61 minutes'");
        var alive = new OneRelay(tables, "orders");

        assertThat(alive.table.forgetDead()).isEqualTo(1);

        assertThat(tables.fetch("select id from $.relay").getValues(0, UUID.class))
                .containsExactlyInAnyOrder(owner.id(), alive.id());
    }

    @Test
    void before_the_first_heartbeat_a_relay_has_no_id() {
        assertThatThrownBy(() -> new Lease(OneRelay.LEASE, new HandClock()).relay())
                .isInstanceOf(IllegalStateException.class);
    }

    private void expire() {
        tables.execute("update $.relay set alive_until = clock_timestamp() - interval '1 second'");
    }
}
