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
public interface Installation {
    // Bodies above this size travel by claim check.
    int LARGEST_BODY = 64 * 1024;
    // Wallets are many and their messages few: an idle one makes room for the next at once.
    Duration SESSION_IDLE = Duration.ofMillis(50);

    /** The service as it is deployed. */
    static Installation of(DataSource dataSource, ForgeSchemas schemas, ServiceBusAddress bus) {
        return new Deployed(dataSource, schemas, bus);
    }

    DataSource dataSource();

    ForgeSchemas schemas();

    ServiceBusAddress bus();

    /** The service's own table of this name. */
    default String table(String table) {
        return schemas().forge().table(table);
    }

    /** A context outside of any transaction. */
    default DSLContext dsl() {
        return DSL.using(dataSource(), SQLDialect.POSTGRES);
    }

    /** Where messages are appended. */
    default Outbox outbox() {
        return Outbox.builder(dataSource())
                .schema(schemas().waybill())
                .destination(Destination.of(Entities.WALLET_TX).withSessions())
                .destination(Destination.of(Entities.WALLET_EVENTS).withSessions())
                .destination(Destination.of(Entities.STATEMENTS).withClaimsAbove(LARGEST_BODY))
                .claims(claims())
                .build();
    }

    /** Where large bodies are kept. */
    default ClaimStore claims() {
        return ClaimStore.inPostgres(schemas().waybill());
    }

    /** Which HTTP requests were carried out. */
    default IdempotencyKeys requests() {
        return IdempotencyKeys.of(schemas().waybill(), "wallet-forge-http");
    }

    /** The id of a message: its business key, the same whenever it is appended again. */
    default String messageId(String key) {
        return key;
    }

    /** A consumer, not started. */
    default InboxConsumer.Builder consumer(String consumer, MessageSource source, Handler handler) {
        return InboxConsumer.builder(dataSource())
                .schema(schemas().waybill())
                .name(consumer)
                .source(source)
                .claims(claims())
                .concurrency(4)
                .tuning(tuning -> tuning.sessionIdle(SESSION_IDLE))
                .handler(handler);
    }

    /** Its parts. */
    record Deployed(DataSource dataSource, ForgeSchemas schemas, ServiceBusAddress bus) implements Installation {}
}
