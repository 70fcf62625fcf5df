package dev.waybill.relay.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ClaimTest {
    private static final String ALIVE = "alive_until = clock_timestamp() + interval '1 minute'";
    private static final String DEAD = "alive_until = clock_timestamp() - interval '1 second'";

    private NewTables tables;
    private OneRelay one;
    private OneRelay two;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        one = new OneRelay(tables, "orders");
        two = new OneRelay(tables, "orders");
    }

    @Test
    void of_two_that_claim_at_once_one_has_it() {
        String[] names = IntStream.range(0, 40).mapToObj(i -> "d" + i).toArray(String[]::new);
        var relays = Stream.generate(() -> new OneRelay(tables, names)).limit(4).toList();

        List<Claim> claims = relays.stream().map(relay -> CompletableFuture.supplyAsync(relay::claim)).toList().stream()
                .flatMap(claim -> claim.join().stream())
                .toList();

        assertThat(claims).allMatch(claim -> claim.epoch() == 1);
        assertThat(claims.stream().map(Claim::destination)).containsExactlyInAnyOrder(names);
    }

    @Test
    void an_owner_that_is_alive_keeps_its_destination() {
        one.claim();

        assertThat(two.claim()).isEmpty();
    }

    @Test
    void an_owner_that_hangs_loses_it_and_has_not_died() {
        tables.append("orders", "s", "m1");
        one.claim();
        one.hang();

        Claim claim = two.claim().get(0);

        assertThat(claim.epoch()).isEqualTo(2);
        assertThat(claim.previous().died()).isFalse();
        assertThat(claim.previous().deaths()).isZero();
    }

    @Test
    void take_overs_from_the_dead_are_counted_while_messages_wait() {
        one.claim();
        kill(one);
        assertThat(two.claim().get(0))
                .returns(true, taken -> taken.previous().died())
                .returns(0, taken -> taken.previous().deaths());

        tables.append("orders", "s", "m1");
        tables.execute(
                "update $.outbox_destination set suspect_seq = 7, suspect_message_id = 'm1', suspect_epoch = epoch");
        kill(two);
        Claim claim = new OneRelay(tables, "orders").claim().get(0);

        assertThat(claim.previous().deaths()).isEqualTo(1);
        assertThat(claim.previous().suspect()).isEqualTo(Optional.of(new Claim.Suspect(7, "m1", 1)));
    }

    @Test
    void an_owner_without_a_row_is_dead() {
        one.claim();
        tables.execute("delete from $.relay where id = {0}", DSL.val(one.id()));

        assertThat(two.claim())
                .singleElement()
                .returns(true, taken -> taken.previous().died());
    }

    @Test
    void a_heartbeat_that_is_being_written_is_neither_overlooked_nor_waited_for() throws Exception {
        one.claim();
        kill(one);
        try (Connection heartbeat = tables.open()) {
            tables.execute(heartbeat, "update $.relay set " + ALIVE + " where id = '" + one.id() + "'");
            assertThat(two.claim()).as("while it is being written").isEmpty();
            heartbeat.commit();
        }
        assertThat(two.claim()).as("after it").isEmpty();
        kill(one);
        assertThat(two.claim()).hasSize(1);
    }

    @Test
    void a_relay_that_is_dead_or_does_not_serve_claims_nothing() {
        assertThat(one.destinations.claim(UUID.randomUUID(), List.of("orders"))).isEmpty();
        two.hang();
        assertThat(two.claim()).isEmpty();
        kill(one);
        assertThat(one.claim()).isEmpty();
    }

    @Test
    void a_release_frees_at_once_or_after_a_while() {
        Claim claim = one.claim().get(0);
        assertThat(one.destinations.release(one.id(), "orders", claim.epoch(), Duration.ofMinutes(1)))
                .isTrue();
        assertThat(two.claim()).isEmpty();

        tables.execute("update $.outbox_destination set free_at = clock_timestamp()");
        Claim second = two.claim().get(0);
        assertThat(second)
                .returns(2L, Claim::epoch)
                .returns(false, taken -> taken.previous().died());
        two.destinations.release(two.id(), "orders", second.epoch(), Duration.ZERO);
        assertThat(one.claim()).hasSize(1);
    }

    @Test
    void an_old_epoch_releases_nothing() {
        one.claim();
        assertThat(one.claim()).as("claimed again by itself").singleElement().returns(2L, Claim::epoch);

        assertThat(one.destinations.release(one.id(), "orders", 1, Duration.ZERO))
                .isFalse();
        assertThat(one.destinations.release(two.id(), "orders", 2, Duration.ZERO))
                .isFalse();
        assertThat(two.claim()).isEmpty();
        assertThat(one.destinations.release(one.id(), "orders", 2, Duration.ZERO))
                .isTrue();
    }

    @Test
    void what_is_locked_is_claimed_another_time() throws Exception {
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_destination for update");
            assertThat(one.claim()).isEmpty();
        }
        assertThat(one.claim()).hasSize(1);
    }

    @Test
    void what_moves_is_not_claimed_and_what_has_moved_only_by_those_that_follow() {
        tables.execute("update $.outbox_destination set moves_until = clock_timestamp() + interval '1 minute'");
        assertThat(one.claim()).isEmpty();
        tables.execute("update $.outbox_destination set moves_until = clock_timestamp(), entity = 'orders-2'");

        assertThat(new OneRelay(tables, false, "orders").claim()).isEmpty();
        assertThat(one.claim()).hasSize(1);
    }

    @Test
    void a_sequence_that_a_restore_left_behind_is_raised() {
        tables.append("orders", "s", "m1", "m2");
        assertThat(one.claim()).singleElement().returns(false, Claim::sequenceRaised);
        tables.execute("update $.outbox_message set seq = seq + 100000");
        kill(one);

        assertThat(two.claim()).singleElement().returns(true, Claim::sequenceRaised);

        tables.append("orders", "s", "m3");
        assertThat(tables.one(String.class, "select string_agg(message_id, ',' order by seq) from $.outbox_message"))
                .isEqualTo("m1,m2,m3");
    }

    @Test
    void a_sequence_behind_a_held_message_is_raised() {
        tables.execute(
                "insert into $.outbox_hold (destination, session_id, state, reason) values ('orders', 's', 'parked', 'x')");
        tables.execute("insert into $.outbox_held_message (hold_id, origin_position, origin_time, message_id, payload)"
                + " select id, 5000, now(), 'm', '' from $.outbox_hold");

        assertThat(one.claim()).singleElement().returns(true, Claim::sequenceRaised);

        assertThat(tables.one(Long.class, "select nextval('$.outbox_seq')")).isGreaterThan(5000);
    }

    @Test
    void a_claim_refuses_a_table_whose_rows_a_policy_hides(TestDatabase database) throws Exception {
        String role = tables.schema + "_reader";
        tables.execute("alter table $.outbox_message enable row level security");
        database.execute("create role " + role);
        try (var pool = pool(database, role)) {
            tables.execute("grant usage on schema $ to " + role);
            tables.execute("grant all on all tables in schema $ to " + role);
            var hidden = new DestinationTable(DSL.using(pool, SQLDialect.POSTGRES), tables.schema);

            assertThatThrownBy(() -> hidden.claim(one.id(), List.of("orders")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Row level security");
            assertThat(one.claim()).as("a role that no policy concerns").hasSize(1);
        } finally {
            database.execute("drop owned by " + role);
            database.execute("drop role " + role);
        }
    }

    @Test
    void members_are_what_stands() {
        one.claim();
        kill(one);
        tables.execute("update $.outbox_destination set paused_at = now(), entity = 'e'");

        Members members = two.destinations.members(List.of("orders", "unknown"));

        assertThat(members.relays()).extracting(Members.Relay::id).containsExactly(two.id());
        Members.Destination orders = members.destinations().get(0);
        assertThat(orders.owner()).contains(one.id());
        assertThat(tables.one(Long.class, "select epoch from $.outbox_destination where destination = 'orders'"))
                .isEqualTo(1);
        assertThat(orders.freeFor()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        assertThat(orders.moves()).isFalse();
        assertThat(orders.entity()).contains("e");
        two.claim();
        Members after = two.destinations.members(List.of("orders"));
        assertThat(after.relays().get(0).owned()).isEqualTo(1);
        assertThat(after.destinations().get(0).freeFor()).isZero();
    }

    private void kill(OneRelay relay) {
        tables.execute("update $.relay set " + DEAD + " where id = {0}", DSL.val(relay.id()));
    }

    private static HikariDataSource pool(TestDatabase database, String role) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("set role " + role);
        return new HikariDataSource(config);
    }
}
