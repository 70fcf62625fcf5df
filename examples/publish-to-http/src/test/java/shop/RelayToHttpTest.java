package shop;

import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RelayToHttpTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus);

    @Test
    void what_is_committed_is_posted_in_order(DataSource dataSource) throws Exception {
        try (var endpoint = new Endpoint();
                Relay relay = Relay.builder(dataSource)
                        .destination("orders")
                        .publisher(endpoint.publisher())
                        .start()) {
            for (String order : List.of("o-1", "o-2", "o-3")) {
                place(dataSource, order);
            }
            relay.wake();
            await().until(endpoint::arrived, List.of("o-1", "o-2", "o-3")::equals);
        }
    }

    private static void place(DataSource dataSource, String order) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Outbox.create()
                    .append(
                            connection,
                            OutboxMessage.to("orders").id(order).session("lamp").text("lamp").build());
            connection.commit();
        }
    }
}
