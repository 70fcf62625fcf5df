package dev.waybill.walletforge.demo.installation;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.Verdict;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import javax.sql.DataSource;

/**
 * An installation whose messages end with its name, so that what another run left in the namespace is told apart.
 *
 * @param name at most eight characters
 */
public record NamedInstallation(String name, DataSource dataSource, ForgeSchemas schemas, ServiceBusAddress bus)
        implements Installation {
    @Override
    public String messageId(String key) {
        return key + ":" + name;
    }

    // Only a run whose messages all have its name may complete the others without an effect.
    @Override
    public InboxConsumer.Builder consumer(String consumer, MessageSource source, Handler handler) {
        String own = ":" + name;
        return Installation.super.consumer(
                consumer,
                source,
                (tx, message) -> message.id().endsWith(own) ? handler.handle(tx, message) : Verdict.done());
    }
}
