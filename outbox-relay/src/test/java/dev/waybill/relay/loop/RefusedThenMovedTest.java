package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The alarm of a refused destination follows the ownership. */
@ExtendWith(PostgresExtension.class)
class RefusedThenMovedTest {
    private static final Duration BEYOND_INTERVAL = Duration.ofSeconds(31);

    private final Broker broker = new Broker();
    private NewTables tables;
    private SteppedRelay former;
    private SteppedRelay next;

    @BeforeEach
    void one_relay_is_refused(TestDatabase database) {
        tables = new NewTables(database);
        former = new SteppedRelay(tables, broker, "orders").own();
        refuseAll();
        tables.append("orders", "s", "m1");
        former.turns(3);
        assertThat(refusals()).isEqualTo(1);
        next = new SteppedRelay(tables, broker, "orders");
    }

    @AfterEach
    void end() {
        former.close();
        next.close();
    }

    @Test
    void the_new_owner_clears_what_the_former_one_recorded_and_the_former_one_writes_it_no_more() {
        former.loop.release(Duration.ZERO);
        broker.acceptsAll();
        next.own().turns(3);
        assertThat(refusals()).isZero();

        former.clock.advance(BEYOND_INTERVAL);
        former.turns(2);

        assertThat(refusals()).isZero();
        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void an_owner_that_does_not_know_yet_that_another_one_has_taken_over_writes_nothing() {
        tables.execute("update $.outbox_destination set epoch = epoch + 1, refused_at = null, refusal_seen_at = null");

        assertThat(former.destination("orders").owned()).isNotNull();
        former.destination("orders").sender().breaker().report(refusal());
        former.clock.advance(BEYOND_INTERVAL);
        former.refusals.note(former.destination("orders"), 0);

        assertThat(refusals()).isZero();
    }

    @Test
    void an_owner_that_comes_back_clears_what_was_recorded_meanwhile() {
        broker.acceptsAll();
        accept("m1");
        former.loop.release(Duration.ZERO);
        refuseAll();
        tables.append("orders", "s", "m2");
        next.own().turns(3);
        assertThat(refusals()).isEqualTo(1);
        next.loop.release(Duration.ZERO);

        broker.acceptsAll();
        former.own();
        accept("m2");

        assertThat(refusals()).isZero();
    }

    @Test
    void an_owner_with_nothing_left_to_send_lets_the_alarm_end() {
        tables.execute("update $.outbox_destination set paused_at = now()");
        former.turns(5);
        tables.execute("update $.outbox_destination set refusal_seen_at = '2000-01-01'");

        former.clock.advance(BEYOND_INTERVAL);
        former.turns(2);

        assertThat(seenLately()).isZero();
    }

    private void accept(String last) {
        while (!broker.arrived().contains(last)) {
            former.clock.advance(Duration.ofSeconds(1));
            former.turn();
        }
        former.turns(2);
    }

    private void refuseAll() {
        broker.answers(shipment -> refusal());
    }

    private static PublishResult refusal() {
        return new PublishResult(0, Outcome.DESTINATION_REFUSED, new IllegalStateException("gone"));
    }

    private int refusals() {
        return tables.one(Integer.class, "select count(refused_at)::int from $.outbox_destination");
    }

    private int seenLately() {
        return tables.one(
                Integer.class,
                "select count(*)::int from $.outbox_destination where refusal_seen_at > now() - interval '5 minutes'");
    }
}
