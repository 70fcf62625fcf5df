package dev.waybill.walletforge.relay;

import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.payment.PaymentWire;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.time.Duration;
import javax.sql.DataSource;

/** The relay as WalletForge runs it, be it in the application's process or in one of its own. */
public final class RelayService {
    private RelayService() {}

    /** Starts a relay for the payments' queue. */
    public static Relay start(DataSource dataSource, SchemaName schema, ServiceBusAddress address, RelayTempo tempo) {
        return Relay.builder(dataSource)
                .schema(schema)
                .destination(PaymentWire.QUEUE)
                .publisher(address.publisher(tempo.sendDeadline()))
                .tuning(tuning -> tuning.leaseDuration(tempo.lease()).longestIdle(Duration.ofMillis(20)))
                .build()
                .start();
    }
}
