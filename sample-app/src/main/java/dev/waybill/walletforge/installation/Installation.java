package dev.waybill.walletforge.installation;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.IdempotencyKeys;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.MessageSource;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.walletforge.servicebus.Entities;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** One installation of the service: its database and its Service Bus. Thread-safe. */
public class Installation {
    // Bodies above this size travel by claim check.
    private static final int LARGEST_BODY = 64 * 1024;
    // Wallets are many and their messages few: an idle one makes room for the next at once.
    private static final Duration SESSION_IDLE = Duration.ofMillis(50);

    private final DataSource dataSource;
    private final ForgeSchemas schemas;
    private final ServiceBusAddress bus;

    public Installation(DataSource dataSource, ForgeSchemas schemas, ServiceBusAddress bus) {
        this.dataSource = dataSource;
        this.schemas = schemas;
        this.bus = bus;
    }

    public DataSource dataSource() {
        return dataSource;
    }

    public ForgeSchemas schemas() {
        return schemas;
    }

    public ServiceBusAddress bus() {
        return bus;
    }

    /** The service's own table of this name. */
    public String table(String table) {
        return schemas.forge().table(table);
    }

    /** A context outside of any transaction. */
    public DSLContext dsl() {
        return DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    /** Where messages are appended. */
    public Outbox outbox() {
        return Outbox.builder(dataSource)
                .schema(schemas.waybill())
                .destination(Destination.of(Entities.WALLET_TX).withSessions())
                .destination(Destination.of(Entities.WALLET_EVENTS).withSessions())
                .destination(Destination.of(Entities.STATEMENTS).withClaimsAbove(LARGEST_BODY))
                .claims(claims())
                .build();
    }

    /** Where large bodies are kept. */
    public ClaimStore claims() {
        return ClaimStore.inPostgres(schemas.waybill());
    }

    /** Which HTTP requests were carried out. */
    public IdempotencyKeys requests() {
        return IdempotencyKeys.of(schemas.waybill(), "wallet-forge-http");
    }

    /** The id of a message: its business key, the same whenever it is appended again. */
    public String messageId(String key) {
        return key;
    }

    /** A consumer, not started. */
    public InboxConsumer.Builder consumer(String consumer, MessageSource source, Handler handler) {
        return InboxConsumer.builder(dataSource)
                .schema(schemas.waybill())
                .name(consumer)
                .source(source)
                .claims(claims())
                .concurrency(4)
                .tuning(tuning -> tuning.sessionIdle(SESSION_IDLE))
                .handler(handler);
    }
}
