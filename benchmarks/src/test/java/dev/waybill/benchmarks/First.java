package dev.waybill.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Sends one message and handles it. */
public final class First {
    private First() {}

    public static void main(String[] arguments) throws Exception {
        String debit = arguments.length == 0 ? "tx-1" : arguments[0];
        try (var dataSource = new HikariDataSource()) {
            dataSource.setJdbcUrl(System.getenv("JDBC_URL"));
            dataSource.setMaximumPoolSize(20);
            run(dataSource, System.getenv("SERVICE_BUS"), debit);
        }
    }

    static void run(DataSource dataSource, String connectionString, String debit) throws Exception {
        // Once per release: Waybill's tables, in the schema 'waybill'.
        Migrations.of(dataSource).apply();

        // One transaction: the message exists if, and only if, it commits. The table 'debit' stands for your own.
        Outbox outbox = Outbox.of(dataSource);
        outbox.inTransaction(tx -> {
            tx.execute("create table if not exists debit (id text primary key, wallet text, cents bigint)");
            tx.execute("insert into debit values (?, 'w-7', 250)", debit);
            outbox.append(
                    tx,
                    OutboxMessage.to("wallet-tx")
                            .session("w-7")
                            .id("debit-" + debit)
                            .json("{\"cents\": 250}")
                            .build());
        });

        // In each instance of your service: the relay publishes, the consumer handles.
        var handled = new CountDownLatch(1);
        Relay relay = Relay.builder(dataSource)
                .destination("wallet-tx")
                .publisher(ServiceBusPublisher.of(connectionString))
                .start();
        InboxConsumer consumer = InboxConsumer.builder(dataSource)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(connectionString, "wallet-tx").withSessions())
                .handler((tx, message) -> {
                    System.out.println("handled " + message.id() + ": " + message.text());
                    handled.countDown();
                    return Verdict.done();
                })
                .start();
        try (relay;
                consumer) {
            if (!handled.await(30, TimeUnit.SECONDS)) {
                System.out.println("not handled within 30 s; the log says why");
            }
        }
    }
}
