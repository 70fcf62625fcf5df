package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A destination that no relay serves is mostly a misspelt one. */
@Timeout(60)
class DestinationNamesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL =
            WaybillExtension.with(bus -> bus.queue("orders").queue("payments"));

    @Test
    void the_alarm_of_a_misspelt_destination_names_the_served_ones(TestWaybill waybill, DataSource dataSource) {
        waybill.startRelay("payments", "orders");
        waybill.outbox()
                .inTransaction(tx -> waybill.outbox()
                        .append(
                                tx,
                                OutboxMessage.to("Payments").id("m1").text("x").build()));
        var sql = waybill.schema().in(DSL.using(dataSource, SQLDialect.POSTGRES));
        sql.execute("update " + waybill.schema().table("outbox_message")
                + " set created_at = created_at - interval '2 minutes'");

        var alarms = sql.fetch("select detail from " + waybill.schema().table("relay_alarm")
                + " where alarm = 'stalled' and destination = 'Payments'");

        assertThat(alarms.getValues(0, String.class))
                .singleElement()
                .asString()
                .endsWith("no relay that is alive serves this destination; relays serve 'payments', 'orders'");
    }

    @Test
    void a_relay_refuses_two_spellings_of_one_entity(TestWaybill waybill, DataSource dataSource) {
        var builder = Relay.builder(dataSource).destination("orders");

        assertThatThrownBy(() -> builder.destination("Orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'orders' and 'Orders'");
    }

    @Test
    void an_outbox_names_its_declared_destinations(TestWaybill waybill, DataSource dataSource) {
        var outbox = Outbox.builder(dataSource)
                .schema(waybill.schema())
                .destination(Destination.of("orders"))
                .build();

        assertThatThrownBy(() -> outbox.inTransaction(tx -> outbox.append(
                        tx, OutboxMessage.to("Orders").id("m1").text("x").build())))
                .hasMessageContaining("undeclared destination 'Orders'")
                .hasMessageContaining("[orders]");
    }
}
