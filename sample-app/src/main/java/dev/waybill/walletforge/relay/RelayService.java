package dev.waybill.walletforge.relay;

import dev.waybill.migrations.SchemaName;
import dev.waybill.relay.Relay;
import dev.waybill.walletforge.payment.PaymentWire;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.time.Duration;
import javax.sql.DataSource;

/** The relay as WalletForge runs it, be it in the application's process or in one of its own. */
public final class RelayService {
    /** Short, so that another relay takes over quickly. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** How long a send may take; what is acknowledged later is sent again. */
    public static final Duration SEND_DEADLINE = Duration.ofSeconds(2);

    private RelayService() {}

    /** Starts a relay for the payments' queue. */
    public static Relay start(DataSource dataSource, SchemaName schema, ServiceBusAddress address) {
        return Relay.builder(dataSource)
                .schema(schema)
                .destination(PaymentWire.QUEUE)
                .publisher(address.publisher(SEND_DEADLINE))
                .leaseDuration(LEASE)
                .longestIdle(Duration.ofMillis(20))
                .build()
                .start();
    }
}
