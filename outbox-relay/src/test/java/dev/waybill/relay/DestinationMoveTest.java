package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Role;
import dev.waybill.relay.DestinationMove.Taken;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A destination moves to another entity while relays are somewhere in a send, or in a sleep. */
@ExtendWith(PostgresExtension.class)
class DestinationMoveTest {
    private static final Duration HOLD = Duration.ofMinutes(1);
    private static final AuditContext WORD = new AuditContext("ada", "a test");

    private final TwoEntities entities = new TwoEntities();
    private OutboxFixture outbox;
    private DestinationMove move;
    private Holds holds;

    @BeforeEach
    void start(TestDatabase database) {
        outbox = new OutboxFixture(database);
        move = DestinationMove.of(database.dataSource(), outbox.schema, OutboxFixture.DESTINATION);
        holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
    }

    @Test
    void relays_give_their_lanes_back_send_nothing_and_go_on_to_the_new_entity() {
        var one = outbox.relay(entities).started();
        var two = outbox.relay(entities).started();
        outbox.append("s", "m1");
        run(one, two);
        UUID token = begin();
        assertThat(move.take()).isEmpty();

        run(one, two);
        Taken taken = move.take().orElseThrow();
        outbox.append("s", "m2");
        run(one, two);
        assertThat(entities.arrived()).containsExactly("orders:m1");

        assertThat(move.finish(token, taken, false)).isPresent();
        run(one, two);
        assertThat(entities.arrived()).containsExactly("orders:m1", "orders-2:m2");
    }

    @Test
    void what_a_sleeping_relay_has_sent_to_the_old_entity_does_not_count_and_is_sent_to_the_new_one() {
        var broker = new HeldBackPublisher(new RecordingPublisher(), shipment -> true);
        var asleep = outbox.relay(broker).started();
        outbox.append("s", "m1", "m2");
        asleep.turn().step(true);
        UUID token = begin();
        outbox.expireLeases();
        Taken taken = move.take().orElseThrow();
        assertThat(move.finish(token, taken, false)).isPresent();

        broker.answer();
        asleep.turn().step(true);
        outbox.closeRelays();
        var next = outbox.relay(entities).started();
        run(next);

        assertThat(entities.arrived()).containsExactly("orders-2:m1", "orders-2:m2");
    }

    @Test
    void a_send_whose_fate_is_unknown_is_waited_for() {
        var relay = outbox.relay(entities).started();
        begin();
        run(relay);
        outbox.execute("update $schema.outbox_lane set available_at = clock_timestamp() + interval '1 minute'");

        assertThat(move.take()).isEmpty();

        outbox.execute("update $schema.outbox_lane set available_at = '-infinity'");
        assertThat(move.take()).isPresent();
    }

    @Test
    void an_attempt_at_a_held_message_is_waited_for_and_a_late_one_does_not_count() {
        entities.refused = "poison";
        outbox.append("s", "poison", "m2");
        var relay = outbox.relay(entities).started();
        run(relay);
        outbox.execute(
                "update $schema.outbox_hold set state = 'retrying', attempt_token = gen_random_uuid(), attempts = 1,"
                        + " attempt_until = clock_timestamp() + interval '1 minute'");
        UUID token = begin();
        run(relay);
        assertThat(move.take()).isEmpty();

        outbox.execute("update $schema.outbox_hold set attempt_until = clock_timestamp()");
        Taken taken = move.take().orElseThrow();

        assertThat(outbox.dsl
                        .fetchSingle("select attempt_token from " + outbox.schema.table("outbox_hold"))
                        .get(0))
                .isNull();
        entities.refused = "";
        assertThat(move.finish(token, taken, false)).isPresent();
        run(relay);
        assertThat(holds.list()).isEmpty();
        assertThat(entities.arrived()).containsExactly("orders-2:poison", "orders-2:m2");
    }

    @Test
    void an_attempt_that_a_relay_begins_at_this_moment_is_seen() throws Exception {
        var relay = outbox.relay(entities).started();
        run(relay);
        begin();
        outbox.expireLeases();
        try (Connection beginning = outbox.open()) {
            DSL.using(beginning).fetch("select from " + outbox.schema.table("outbox_lane") + " for share");

            assertThat(move.take()).as("while a relay begins an attempt").isEmpty();
        }
        assertThat(move.take()).isPresent();
    }

    @Test
    void a_move_that_nobody_prolongs_ends_by_itself_and_cannot_be_finished_any_more() {
        var relay = outbox.relay(entities).started();
        UUID token = begin();
        run(relay);
        Taken taken = move.take().orElseThrow();
        outbox.execute("update $schema.outbox_entity set held_until = clock_timestamp()");
        outbox.append("s", "m1");

        outbox.execute("select nextval('$schema.outbox_lane_seq')");
        run(relay);

        assertThat(entities.arrived()).containsExactly("orders:m1");
        assertThat(move.prolong(token, HOLD)).isFalse();
        assertThat(move.finish(token, taken, false)).isEmpty();
        assertThat(move.state().orElseThrow().entity()).isEmpty();
    }

    @Test
    void a_mover_that_was_late_for_a_moment_cannot_finish_over_lanes_that_somebody_has_had() {
        var relay = outbox.relay(entities).started();
        UUID token = begin();
        run(relay);
        Taken taken = move.take().orElseThrow();
        outbox.execute("update $schema.outbox_entity set held_until = clock_timestamp()");
        outbox.execute("select nextval('$schema.outbox_lane_seq')");
        run(relay);
        outbox.execute("update $schema.outbox_entity set held_until = clock_timestamp() + interval '1 minute'");

        assertThat(move.finish(token, taken, false)).isEmpty();
    }

    @Test
    void of_two_movers_one_waits_and_the_second_takes_over_what_the_first_has_left() {
        UUID first = begin();

        assertThat(move.begin("orders", "orders-2", HOLD, WORD)).isEmpty();
        outbox.execute("update $schema.outbox_entity set held_until = clock_timestamp()");
        UUID second = begin();

        assertThat(move.prolong(first, HOLD)).isFalse();
        assertThat(move.abort(first)).isFalse();
        assertThat(move.prolong(second, HOLD)).isTrue();
    }

    @Test
    void a_move_that_is_given_up_leaves_the_relays_where_they_were() {
        var relay = outbox.relay(entities).started();
        UUID token = begin();
        run(relay);
        Taken taken = move.take().orElseThrow();

        assertThat(move.abort()).isTrue();
        outbox.append("s", "m1");
        run(relay);

        assertThat(entities.arrived()).containsExactly("orders:m1");
        assertThat(move.finish(token, taken, false)).isEmpty();
        assertThat(move.state()).isEmpty();
    }

    @Test
    void a_relay_that_knows_of_no_moves_is_named_before_and_never_sends_afterwards() {
        var old = outbox.relay(entities).started();
        outbox.execute("update $schema.relay_instance set follows_entities = false");
        assertThat(move.notFollowing()).containsExactly("test");
        UUID token = begin();
        run(old);
        assertThat(move.finish(token, move.take().orElseThrow(), false)).isPresent();
        outbox.append("s", "m1");

        run(old);
        assertThat(entities.arrived()).isEmpty();

        var fresh = outbox.relay(entities).started();
        run(old, fresh);
        assertThat(entities.arrived()).containsExactly("orders-2:m1");
    }

    @Test
    void a_move_between_a_relays_look_and_its_claim_is_not_overlooked() {
        outbox.relay(new TwoEntities()).started();
        var late = outbox.relay(
                        entities,
                        outbox.before(
                                "with live as materialized",
                                () -> assertThat(finished("orders", "orders-2")).isTrue()))
                .started();
        run(late);
        outbox.append("s", "m1");
        outbox.expireLeases();
        late.heartbeat().beat();

        run(late);

        assertThat(entities.arrived()).containsExactly("orders-2:m1");
    }

    @Test
    void what_somebody_else_has_paused_stays_paused_and_a_resume_sends_nothing_too_early() {
        var destinations = Destinations.of(outbox.dataSource(), outbox.schema);
        var relay = outbox.relay(entities).started();
        destinations.pause(OutboxFixture.DESTINATION, "an incident");
        outbox.append("s", "m1");
        UUID token = begin();
        run(relay);
        Taken taken = move.take().orElseThrow();
        destinations.resume(OutboxFixture.DESTINATION);
        run(relay);
        assertThat(entities.arrived()).isEmpty();
        destinations.pause(OutboxFixture.DESTINATION, "an incident");

        assertThat(move.finish(token, taken, false)).isPresent();
        run(relay);

        assertThat(entities.arrived()).isEmpty();
        assertThat(destinations.paused()).containsEntry(OutboxFixture.DESTINATION, "an incident");
        destinations.resume(OutboxFixture.DESTINATION);
        run(relay);
        assertThat(entities.arrived()).containsExactly("orders-2:m1");
    }

    @Test
    void what_has_moved_twice_remembers_where_it_was() {
        assertThat(finished("orders", "orders-2")).isTrue();
        assertThat(finished("orders-2", "orders-3")).isTrue();

        assertThat(move.state().orElseThrow().entity()).contains("orders-3");
        assertThat(move.state().orElseThrow().former()).containsExactly("orders", "orders-2");
    }

    @Test
    void an_operator_can_do_all_this_without_the_owner(TestDatabase database) throws Exception {
        try (var role = new TemporaryRole(database, outbox.schema, Role.OPERATOR)) {
            var operators = DestinationMove.of(role.pool(), outbox.schema, OutboxFixture.DESTINATION);
            var relay = outbox.relay(entities).started();
            assertThat(operators.notFollowing()).isEmpty();
            assertThat(operators.hasSessionless()).isFalse();
            UUID given = operators.begin("orders", "orders-2", HOLD, WORD).orElseThrow();
            assertThat(operators.abort(given)).isTrue();
            UUID token = operators.begin("orders", "orders-2", HOLD, WORD).orElseThrow();
            run(relay);

            assertThat(operators.prolong(token, HOLD)).isTrue();
            assertThat(operators.finish(token, operators.take().orElseThrow(), true))
                    .isPresent();
            assertThat(operators.state().orElseThrow().entity()).contains("orders-2");
        }
    }

    private boolean finished(String from, String to) {
        UUID token = move.begin(from, to, HOLD, WORD).orElseThrow();
        return move.finish(token, move.take().orElseThrow(), false).isPresent();
    }

    private UUID begin() {
        return move.begin("orders", "orders-2", HOLD, WORD).orElseThrow();
    }

    private static void run(RelayUnderTest... relays) {
        for (int round = 0; round < 3; round++) {
            for (RelayUnderTest relay : relays) {
                relay.run();
            }
        }
    }

    /** A broker that remembers what has arrived where. */
    private static final class TwoEntities implements Publisher {
        private final List<String> arrived = Collections.synchronizedList(new ArrayList<>());
        private volatile String refused = "";

        List<String> arrived() {
            return List.copyOf(arrived);
        }

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            String entity =
                    Optional.ofNullable(shipment.entity()).map(Entity::path).orElse(shipment.destination());
            PublishResult result = RecordingPublisher.refusing(shipment, Set.of(refused));
            shipment.rows()
                    .subList(0, result.accepted())
                    .forEach(row -> arrived.add(entity + ":" + row.brokerMessageId()));
            return CompletableFuture.completedFuture(result);
        }

        @Override
        public void close() {}
    }
}
