package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.lease.Balance;
import dev.waybill.relay.lease.Claim;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.lease.OneRelay;
import dev.waybill.standalone.topology.DestinationMove.Taken;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A destination moves to another entity while relays own it, have died with it, or are about to claim it. */
@ExtendWith(PostgresExtension.class)
class DestinationMoveTest {
    private static final Duration HOLD = Duration.ofMinutes(1);
    private static final AuditContext WORD = new AuditContext("ada", "a test");

    private NewTables tables;
    private DestinationMove move;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        move = DestinationMove.of(tables.dataSource(), tables.schema, "orders");
    }

    @Test
    void the_owner_gives_it_back_and_claims_it_again_for_the_new_entity() {
        var relay = new OneRelay(tables, "orders");
        Claim claim = relay.claim().get(0);
        UUID token = begin();
        assertThat(move.take()).as("while it is owned").isEmpty();
        assertThat(Balance.withheld(relay.destinations.members(List.of("orders")), relay.id()))
                .containsExactly("orders");

        relay.destinations.release(relay.id(), "orders", claim.epoch(), Duration.ZERO);
        Taken epoch = move.take().orElseThrow();
        assertThat(relay.claim()).isEmpty();

        assertThat(move.finish(token, epoch, true)).isPresent();
        assertThat(relay.claim()).singleElement().returns(3L, Claim::epoch);
        assertThat(move.state().orElseThrow().entity()).contains("orders-2");
        assertThat(tables.one(
                        Boolean.class,
                        "select entity_partitioned and switched_at is not null and moves_to is null"
                                + " from $.outbox_destination"))
                .isTrue();
    }

    @Test
    void an_owner_that_died_is_not_waited_for_and_settles_nothing_later() {
        var asleep = new OneRelay(tables, "orders");
        Claim claim = asleep.claim().get(0);
        UUID token = begin();
        expire();

        Taken epoch = move.take().orElseThrow();

        assertThat(epoch.epoch()).isEqualTo(claim.epoch() + 1);
        assertThat(asleep.destinations.release(asleep.id(), "orders", claim.epoch(), Duration.ZERO))
                .isFalse();
        assertThat(move.finish(token, epoch, false)).isPresent();
    }

    @Test
    void an_owner_whose_loop_hangs_is_not_waited_for() {
        var relay = new OneRelay(tables, "orders");
        relay.claim();
        begin();
        relay.hang();

        assertThat(move.take()).isPresent();
    }

    @Test
    void a_send_whose_outcome_is_unknown_is_waited_for() {
        var relay = new OneRelay(tables, "orders");
        Claim claim = relay.claim().get(0);
        begin();
        relay.destinations.release(relay.id(), "orders", claim.epoch(), Duration.ofMinutes(1));
        assertThat(move.take()).isEmpty();

        tables.execute("update $.outbox_destination set free_at = clock_timestamp()");
        assertThat(move.take()).isPresent();
    }

    @Test
    void an_attempt_at_a_held_message_is_waited_for_and_a_late_one_does_not_count() {
        tables.execute(
                "insert into $.outbox_hold (destination, session_id, state, reason, attempt_token, attempt_until)"
                        + " values ('orders', 's', 'retrying', 'x', gen_random_uuid(), clock_timestamp() + interval '1 minute')");
        begin();
        assertThat(move.take()).isEmpty();

        tables.execute("update $.outbox_hold set attempt_until = clock_timestamp()");
        assertThat(move.take()).isPresent();
        assertThat(tables.one(Boolean.class, "select attempt_token is null from $.outbox_hold"))
                .isTrue();
    }

    @Test
    void an_attempt_that_a_relay_begins_at_this_moment_is_seen() throws Exception {
        new OneRelay(tables, "orders");
        begin();
        try (Connection beginning = tables.open()) {
            tables.execute(beginning, "select from $.outbox_destination for share");
            assertThat(move.take()).as("while a relay begins an attempt").isEmpty();
        }
        assertThat(move.take()).isPresent();
    }

    @Test
    void a_heartbeat_that_is_being_written_is_not_overlooked() throws Exception {
        var relay = new OneRelay(tables, "orders");
        relay.claim();
        begin();
        expire();
        try (Connection heartbeat = tables.open()) {
            tables.execute(heartbeat, "update $.relay set alive_until = clock_timestamp() + interval '1 minute'");
            assertThat(move.take()).isEmpty();
            heartbeat.commit();
        }
        assertThat(move.take()).isEmpty();
    }

    @Test
    void a_move_that_nobody_prolongs_ends_by_itself_and_cannot_be_finished_any_more() {
        var relay = new OneRelay(tables, "orders");
        UUID token = begin();
        Taken epoch = move.take().orElseThrow();
        tables.execute("update $.outbox_destination set moves_until = clock_timestamp()");

        assertThat(relay.claim()).hasSize(1);

        assertThat(move.prolong(token, HOLD)).isFalse();
        assertThat(move.take()).isEmpty();
        assertThat(move.finish(token, epoch, false)).isEmpty();
        assertThat(move.state().orElseThrow().entity()).isEmpty();
        assertThat(move.state().orElseThrow().move().orElseThrow().withheld()).isFalse();
    }

    @Test
    void a_mover_that_was_late_for_a_moment_cannot_finish_over_what_somebody_has_owned() {
        var relay = new OneRelay(tables, "orders");
        UUID token = begin();
        Taken epoch = move.take().orElseThrow();
        tables.execute("update $.outbox_destination set moves_until = clock_timestamp()");
        Claim claim = relay.claim().get(0);
        relay.destinations.release(relay.id(), "orders", claim.epoch(), Duration.ZERO);
        tables.execute("update $.outbox_destination set moves_until = clock_timestamp() + interval '1 minute'");

        assertThat(move.finish(token, epoch, false)).isEmpty();
    }

    @Test
    void of_two_movers_one_waits_and_the_second_takes_over_what_the_first_has_left() {
        UUID first = begin();

        assertThat(move.begin("orders", "orders-2", HOLD, WORD)).isEmpty();
        tables.execute("update $.outbox_destination set moves_until = clock_timestamp()");
        UUID second = begin();

        assertThat(move.prolong(first, HOLD)).isFalse();
        assertThat(move.abort(first)).isFalse();
        assertThat(move.prolong(second, HOLD)).isTrue();
        assertThat(move.abort(second)).isTrue();
    }

    @Test
    void a_move_that_is_given_up_leaves_the_relays_where_they_were() {
        var relay = new OneRelay(tables, "orders");
        UUID token = begin();
        Taken epoch = move.take().orElseThrow();

        assertThat(move.abort()).isTrue();

        assertThat(relay.claim()).hasSize(1);
        assertThat(move.finish(token, epoch, false)).isEmpty();
        assertThat(move.state()).isEmpty();
        assertThat(move.abort()).isFalse();
    }

    @Test
    void a_relay_that_follows_no_moves_is_named_before_and_owns_nothing_afterwards() {
        var old = new OneRelay(tables, false, "orders");
        assertThat(move.notFollowing()).containsExactly("test");
        assertThat(old.claim()).hasSize(1);
        expire();
        assertThat(finished("orders", "orders-2")).isTrue();

        old.heartbeat.beat();
        assertThat(old.claim()).isEmpty();
        assertThat(new OneRelay(tables, "orders").claim()).hasSize(1);
    }

    @Test
    void what_is_paused_stays_paused() {
        var states = Destinations.of(tables.dataSource(), tables.schema);
        states.pause("orders", WORD);
        assertThat(finished("orders", "orders-2")).isTrue();

        assertThat(states.pauseOf("orders")).isPresent();
    }

    @Test
    void what_has_moved_twice_remembers_where_it_was_and_another_entity_cannot_be_left() {
        assertThat(finished("orders", "orders-2")).isTrue();
        assertThat(move.begin("orders", "orders-3", HOLD, WORD)).isEmpty();
        assertThat(finished("Orders-2", "orders-3")).isTrue();

        assertThat(move.state().orElseThrow().entity()).contains("orders-3");
        assertThat(move.state().orElseThrow().former()).containsExactly("orders", "Orders-2");
        assertThat(DestinationMove.all(tables.dataSource(), tables.schema))
                .containsExactly(move.state().orElseThrow());
    }

    @Test
    void messages_without_session_are_found_wherever_they_wait() {
        tables.append("orders", "s", "m1");
        assertThat(move.hasSessionless()).isFalse();
        tables.execute("insert into $.outbox_message (destination, message_id, payload) values ('bills', 'm', '')");
        assertThat(move.hasSessionless()).isFalse();

        tables.execute("insert into $.outbox_scheduled (destination, message_id, due_at, payload) values"
                + " ('orders', 'm', now(), '')");
        assertThat(move.hasSessionless()).isTrue();
        tables.execute("truncate $.outbox_scheduled");
        tables.execute(
                "insert into $.outbox_hold (destination, message_id, state, reason) values ('orders', 'm', 'parked', 'x')");
        assertThat(move.hasSessionless()).isTrue();
    }

    private boolean finished(String from, String to) {
        UUID token = move.begin(from, to, HOLD, WORD).orElseThrow();
        return move.finish(token, move.take().orElseThrow(), false).isPresent();
    }

    private UUID begin() {
        return move.begin("orders", "orders-2", HOLD, WORD).orElseThrow();
    }

    private void expire() {
        tables.execute("update $.relay set alive_until = clock_timestamp()");
    }
}
