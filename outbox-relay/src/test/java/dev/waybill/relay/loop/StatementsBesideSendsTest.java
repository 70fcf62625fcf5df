package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens while a read or a settle is under way on the relay's connection. */
@ExtendWith(PostgresExtension.class)
class StatementsBesideSendsTest {
    private final Broker broker = new Broker();
    private final HeldStatements statements = new HeldStatements();
    private NewTables tables;
    private SteppedRelay relay;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        relay = new SteppedRelay(tables, broker, statements, "orders").own();
        broker.answersNothing();
        tables.append("orders", "s", "m1");
        relay.turn();
        tables.append("orders", "s", "m2");
        relay.turn();
        statements.hold();
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void a_lane_sends_its_next_batch_while_a_read_is_under_way() {
        relay.turn();
        assertThat(statements.isWaiting()).isTrue();

        broker.takePending().forEach(Broker.Pending::accept);
        relay.turn();

        assertThat(sent()).containsExactly("m2");
    }

    @Test
    void a_message_that_is_committed_while_a_read_is_under_way_is_read_by_the_next_one_at_once() {
        relay.turn();
        statements.runOne();
        tables.append("orders", "t", "t1");
        relay.loop.wake("orders");

        relay.loop.turn();
        statements.runOne();
        relay.loop.turn();

        assertThat(sent()).contains("t1");
    }

    @Test
    void no_hold_is_made_while_a_read_is_under_way_that_does_not_show_it() {
        relay.turn();
        broker.takePending()
                .forEach(pending ->
                        pending.answer(PublishResult.refused(0, new IllegalStateException("refused by the test"))));
        tables.append("orders", "s", "m3");
        relay.turn();
        assertThat(held()).isZero();

        while (held() < 3) {
            statements.runOne();
            relay.turn();
        }

        assertThat(sent()).isEmpty();
        assertThat(broker.arrived()).isEmpty();
    }

    @Test
    void nothing_is_read_again_that_is_deleted_while_messages_are_sent() {
        broker.takePending().forEach(Broker.Pending::accept);
        broker.acceptsAll();
        tables.append("orders", "t", "t1", "t2");

        for (int i = 0; i < 20; i++) {
            relay.turn();
            if (statements.isWaiting()) {
                statements.runOne();
            }
        }

        assertThat(broker.arrived()).containsExactlyInAnyOrder("m1", "m2", "t1", "t2");
        assertThat(tables.one(Integer.class, "select count(*)::int from $.outbox_message"))
                .isZero();
    }

    @Test
    void reads_that_fail_one_after_the_other_are_tried_less_and_less_often() {
        var turn = new LoopTurn(relay.loop, relay.relay.progress, relay.clock, Duration.ofSeconds(15), () -> {});
        tables.execute("alter table $.outbox_message rename to gone");

        var rests = new ArrayList<Duration>();
        for (int i = 0; i < 3; i++) {
            relay.clock.advance(Duration.ofSeconds(1));
            turn.take();
            statements.runOne();
            rests.add(turn.take());
        }

        assertThat(rests).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
    }

    @Test
    void a_destination_is_told_as_failing_as_long_as_its_reads_fail() {
        var turn = new LoopTurn(relay.loop, relay.relay.progress, relay.clock, Duration.ofSeconds(15), () -> {});
        tables.execute("alter table $.outbox_message rename to gone");

        var states = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            relay.clock.advance(Duration.ofSeconds(6));
            turn.take();
            statements.runOne();
            turn.take();
            relay.clock.advance(Duration.ofSeconds(6));
            turn.take();
            states.add(relay.relay.progress.report().states().get(0).state());
            statements.runOne();
            turn.take();
        }

        assertThat(states).containsOnly("failing");
    }

    @Test
    void a_writer_that_tells_while_the_loop_is_at_work_does_not_wait_for_the_next_poll() {
        statements.release();
        Duration rest = Duration.ZERO;
        for (int i = 0; i < 30; i++) {
            relay.clock.advance(rest);
            rest = relay.loop.turn();
        }
        var signalled = new ArrayList<Boolean>();
        broker.takePending().forEach(Broker.Pending::accept);
        broker.answers(shipment -> {
            signalled.add(relay.loop.wake("orders"));
            return null;
        });
        relay.clock.advance(rest);
        rest = relay.loop.turn();

        assertThat(signalled).containsExactly(false);
        assertThat(rest).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void a_read_that_was_begun_before_the_destination_was_claimed_anew_brings_nothing() {
        tables.append("orders", "t", "t1");
        relay.turn();
        Destination destination = relay.destination("orders");
        Owned before = destination.mine();
        int rows = before.lanes().rows();
        destination.owned(new Owned(before.claim(), HoldPolicy.HOLD_SESSION, System::nanoTime));
        relay.floors().forget("orders");

        statements.runOne();
        relay.loop.turn();

        assertThat(before.lanes().rows()).isEqualTo(rows);
        assertThat(relay.floors().of("orders")).isZero();
        // A turn settles or reads.
        statements.release();
        relay.turns(2);
        assertThat(destination.mine().lanes().rows()).isEqualTo(3);
    }

    private int held() {
        return tables.one(Integer.class, "select count(*)::int from $.outbox_held_message");
    }

    private List<String> sent() {
        return broker.takePending().stream()
                .flatMap(pending -> pending.shipment.rows().stream())
                .map(row -> row.messageId())
                .toList();
    }
}
