package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.Holds;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator leaves a transaction open that has locked the row of one destination: the others go on. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ForeignLocksTest {
    private final Broker broker = new Broker();
    private NewTables tables;
    /** Each test makes it, after what it finds is there. */
    @SuppressWarnings("NullAway.Init")
    private SteppedRelay relay;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void a_destination_that_is_to_be_given_up_waits_and_the_others_go_on() throws Exception {
        own();
        try (Connection operator = lockBills()) {
            relay.destination("bills").mine().leave();
            othersGoOn();
            operator.rollback();
        }
        relay.turn();
        relay.turn();

        assertThat(tables.fetch("select destination from $.outbox_destination where owner is null")
                        .getValues(0, String.class))
                .containsExactly("bills");
    }

    @Test
    void a_destination_that_refuses_all_is_not_recorded_and_the_others_go_on() throws Exception {
        own();
        refuseBills();
        try (Connection operator = lockBills()) {
            tables.append("bills", "s", "i1");
            othersGoOn();
            operator.rollback();
        }
    }

    @Test
    void a_destination_that_accepts_again_is_recorded_when_its_row_is_free() throws Exception {
        own();
        refuseBills();
        tables.append("bills", "s", "i1");
        relay.turns(3);
        assertThat(refused()).isEqualTo(1);
        broker.acceptsAll();
        try (Connection operator = lockBills()) {
            relay.clock.advance(Duration.ofMinutes(1));
            relay.relay.heartbeat.beat();
            othersGoOn();
            operator.rollback();
        }
        for (int i = 0; i < 10 && refused() > 0; i++) {
            relay.clock.advance(Duration.ofSeconds(5));
            relay.relay.heartbeat.beat();
            tables.append("bills", "s", "later" + i);
            relay.turns(2);
        }

        assertThat(refused()).isZero();
    }

    @Test
    void a_suspicious_destination_waits_and_the_others_go_on() throws Exception {
        suspectBills();
        broker.answersNothing();
        tables.append("bills", "s", "i1", "i2");
        own();
        relay.turn();
        try (Connection operator = lockBills()) {
            broker.acceptsAll();
            broker.takePending().forEach(Broker.Pending::accept);
            othersGoOn();
            assertThat(broker.firstOf("s")).containsExactly("i1");
            operator.rollback();
        }
        relay.turns(3);
        assertThat(broker.firstOf("s")).containsExactly("i1", "i2");
    }

    @Test
    void deaths_that_count_no_more_are_not_waited_for() throws Exception {
        suspectBills();
        tables.execute("update $.outbox_destination set deaths = 1");
        broker.answersNothing();
        tables.append("bills", "s", "i1");
        own();
        relay.turn();
        try (Connection operator = lockBills()) {
            broker.acceptsAll();
            broker.takePending().forEach(Broker.Pending::accept);
            othersGoOn();
            operator.rollback();
        }
    }

    @Test
    void a_hold_that_was_released_waits_and_the_others_go_on() throws Exception {
        own();
        broker.refuses("i1");
        tables.append("bills", "s", "i1");
        relay.turns(4);
        Holds holds = Holds.ofOutbox(tables.dataSource(), tables.schema);
        var all = HoldFilter.everything().scope("bills");
        assertThat(holds.release(all, new AuditContext("ada", "mended")).holds())
                .isEqualTo(1);
        broker.acceptsAll();
        try (Connection operator = lockBills()) {
            relay.clock.advance(Duration.ofSeconds(1));
            othersGoOn();
            operator.rollback();
        }
        assertThat(broker.firstOf("s")).isEmpty();
        relay.clock.advance(Duration.ofSeconds(1));
        relay.turns(4);

        assertThat(broker.firstOf("s")).containsExactly("i1");
    }

    private void own() {
        relay = new SteppedRelay(tables, broker, "bills", "orders").own();
    }

    private void suspectBills() {
        new SteppedRelay(tables, broker, "bills", "orders").die();
        tables.execute("update $.outbox_destination set deaths = 3 where destination = 'bills'");
    }

    private void refuseBills() {
        broker.answers(shipment -> shipment.destination().equals("bills")
                ? new PublishResult(0, Outcome.DESTINATION_REFUSED, new IllegalStateException("gone"))
                : Broker.all(shipment));
    }

    private Connection lockBills() throws Exception {
        Connection operator = tables.open();
        tables.execute(operator, "select from $.outbox_destination where destination = 'bills' for update");
        return operator;
    }

    private void othersGoOn() {
        tables.append("orders", "o", "o1", "o2");
        long begun = System.nanoTime();
        relay.turns(4);
        assertThat(broker.firstOf("o")).containsExactly("o1", "o2");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
    }

    private int refused() {
        return tables.one(Integer.class, "select count(*) from $.outbox_destination where refused_at is not null");
    }
}
