package dev.waybill.walletforge.demo.intake;

import dev.waybill.walletforge.demo.installation.NamedInstallation;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.payment.Payments;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import javax.sql.DataSource;

/** The service's acceptance of payments, each in a transaction of its own. */
public final class Accepted {
    private Accepted() {}

    public static Intake of(DataSource dataSource, ForgeSchemas schemas, String run) {
        return of(
                new NamedInstallation(run, dataSource, schemas, new ServiceBusAddress("none.servicebus.windows.net")));
    }

    public static Intake of(Installation installation) {
        var payments = new Payments(installation);
        return payment -> installation.dsl().transactionResult(tx -> payments.accept(tx.dsl(), payment));
    }
}
