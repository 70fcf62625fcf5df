package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A relay that stops leaves nothing to its successor that the broker has. */
@ExtendWith(PostgresExtension.class)
class LeavingTest {
    private final Broker broker = new Broker();
    private final HeldStatements statements = new HeldStatements();
    private NewTables tables;
    private SteppedRelay relay;
    private LoopTurn turn;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        relay = new SteppedRelay(tables, broker, statements, "orders").own();
        turn = new LoopTurn(relay.loop, relay.relay.progress, relay.clock, Duration.ofSeconds(15), () -> {});
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void however_many_were_accepted_while_a_read_took_long() {
        broker.answersNothing();
        append(3500);
        relay.turns(4);
        statements.hold();
        relay.turn();
        broker.acceptsAll();
        broker.takePending().forEach(Broker.Pending::accept);
        while (relay.destination("orders").mine().lanes().isWaiting()
                || relay.destination("orders").mine().lanes().isSending()) {
            relay.turn();
        }
        statements.runOne();
        statements.release();

        turn.leave(Duration.ofSeconds(5));

        assertThat(stillThere()).isZero();
    }

    @Test
    void though_a_read_fails_that_was_under_way() {
        append(10);
        broker.answersNothing();
        relay.turn();
        statements.hold();
        relay.turn();
        broker.takePending().forEach(Broker.Pending::accept);
        tables.execute("alter table $.outbox_message rename to gone");
        statements.runOne();
        tables.execute("alter table $.gone rename to outbox_message");
        statements.release();

        turn.leave(Duration.ofSeconds(5));

        assertThat(stillThere()).isZero();
        assertThat(tables.one(Integer.class, "select count(*)::int from $.outbox_destination where owner is not null"))
                .isZero();
    }

    private void append(int count) {
        tables.execute("insert into $.outbox_message (destination, session_id, message_id, payload)"
                + " select 'orders', 's' || n, 'm' || n, '' from generate_series(1, " + count + ") n");
    }

    private int stillThere() {
        var arrived = new HashSet<>(broker.arrived());
        return (int) tables.fetch("select message_id from $.outbox_message").getValues(0, String.class).stream()
                .filter(arrived::contains)
                .count();
    }
}
