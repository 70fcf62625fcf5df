package dev.waybill.standalone.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Feature;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.RetainingRelay;
import dev.waybill.relay.lease.NewTables;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a failover does with sessions that are held. */
@ExtendWith(PostgresExtension.class)
class FailoverOfHeldSessionsTest {
    private static final AuditContext WORD = new AuditContext("ada", "eu-1 is lost");

    private NewTables tables;
    private RetainingRelay relay;
    private Failover failover;
    private Destinations orders;

    @BeforeEach
    void start(TestDatabase given) {
        tables = new NewTables(given, Feature.RETENTION, Feature.CLAIMS);
        relay = new RetainingRelay(tables);
        failover = Failover.of(tables.dataSource(), tables.schema);
        orders = Destinations.of(tables.dataSource(), tables.schema);
    }

    @Test
    void a_held_session_returns_whole_and_in_order_and_is_held_again_if_the_new_broker_refuses_it() {
        tables.append("orders", "Held", "m1", "m2");
        relay.publish();
        relay.refused = "m3";
        tables.append("orders", "hELD", "m3", "m4");
        relay.publish();
        assertThat(holds()).isEqualTo(1);
        orders.pause("orders", WORD);

        assertThat(failover.extent("orders", Optional.empty()).exceptions().held())
                .isEqualTo(2);
        assertThat(moved()).isEqualTo(2);
        assertThat(holds()).isZero();
        orders.resume("orders", WORD);

        assertThat(sent()).containsExactly("m1", "m2");
        assertThat(holds()).isEqualTo(1);
    }

    @Test
    @Timeout(60)
    void what_was_published_out_of_a_hold_returns_in_its_place() {
        relay.refused = "m2";
        tables.append("orders", "s", "m1", "m2", "m3");
        relay.publish();
        relay.refused = "";
        Holds holds = Holds.ofOutbox(tables.dataSource(), tables.schema);
        holds.release(holds.list().get(0).key(), WORD);
        while (holds() > 0) {
            relay.publish();
        }
        tables.append("orders", "s", "m4");
        relay.publish();
        orders.pause("orders", WORD);

        assertThat(moved()).isEqualTo(4);
        orders.resume("orders", WORD);

        assertThat(sent()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void a_message_that_is_held_alone_and_the_hold_of_a_session_without_published_messages_stay() {
        tables.append("orders", "s", "m1");
        relay.publish();
        tables.execute("insert into $.outbox_hold (destination, session_id, message_id, state, reason)"
                + " values ('orders', 's', 'm0', 'parked', 'r'), ('orders', 'other', null, 'parked', 'r')");
        tables.execute(
                "insert into $.outbox_held_message (hold_id, origin_position, origin_time, session_id, message_id,"
                        + " payload) select id, -id, clock_timestamp(), session_id, coalesce(message_id, 'm9'), '' from $.outbox_hold");
        orders.pause("orders", WORD);

        assertThat(moved()).isEqualTo(1);

        assertThat(holds()).isEqualTo(2);
    }

    @Test
    void a_held_message_that_is_being_erased_does_not_escape_into_the_outbox() {
        tables.append("orders", "s", "m1");
        relay.publish();
        relay.refused = "m2";
        tables.append("orders", "s", "m2", "m3");
        relay.publish();
        tables.execute("insert into $.erasure_order (digest, kind, applies_until, operator, reason) values "
                + "($.erasure_digest('message', 'm2'), 'message', clock_timestamp(), 'ada', 'a request')");
        orders.pause("orders", WORD);

        assertThat(moved()).isEqualTo(1);
        relay.refused = "";
        orders.resume("orders", WORD);

        assertThat(sent()).containsExactly("m1", "m3");
        assertThat(holds()).isZero();
    }

    @Test
    void a_held_message_whose_value_was_given_again_stays_and_the_reason_is_told() {
        tables.append("orders", "s", "m1");
        relay.publish();
        relay.refused = "m2";
        tables.append("orders", "s", "m2");
        relay.publish();
        tables.fetch("select setval('$.outbox_seq', (select min(origin_position) - 1 from $.outbox_held_message))");
        tables.append("orders", "other", "m3");
        orders.pause("orders", WORD);

        assertThatThrownBy(this::moved)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("held messages of 'orders'")
                .hasMessageContaining("moved without its sequences");

        assertThat(holds()).isEqualTo(1);
    }

    private int holds() {
        return tables.one(Integer.class, "select count(*)::integer from $.outbox_hold");
    }

    private int moved() {
        Failover.Run run = failover.run("orders", Optional.empty());
        int moved = 0;
        while (!run.isDone()) {
            moved += run.step();
        }
        return moved;
    }

    private List<String> sent() {
        relay.arrived.clear();
        relay.publish();
        return relay.arrived.stream().map(OutboxRow::messageId).toList();
    }
}
