package dev.waybill.benchmarks;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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
        // Once per release: Waybill's tables, in the schema 'waybill'. The table 'debit' stands for your own.
        Migrations.of(dataSource).apply();
        execute(dataSource, "create table if not exists debit (id text primary key, wallet text, cents bigint)");

        // In your transaction: the message exists if and only if the transaction commits.
        append(dataSource, debit);

        // In each instance of your service: the relay publishes, the consumer handles.
        Supplier<ServiceBusClientBuilder> serviceBus =
                () -> new ServiceBusClientBuilder().connectionString(connectionString);
        var handled = new CountDownLatch(1);
        Relay relay = Relay.builder(dataSource)
                .destination("wallet-tx")
                .publisher(ServiceBusPublisher.of(serviceBus))
                .build()
                .start();
        InboxConsumer consumer = InboxConsumer.builder(dataSource)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(serviceBus, "wallet-tx").withSessions())
                .handler((tx, message) -> {
                    System.out.println("handled " + message.id() + ": " + message.text());
                    handled.countDown();
                    return Verdict.done();
                })
                .build()
                .start();
        try (relay;
                consumer) {
            if (!handled.await(30, TimeUnit.SECONDS)) {
                System.out.println("not handled within 30 s; the log says why");
            }
        }
    }

    private static void append(DataSource dataSource, String debit) throws SQLException {
        Outbox outbox = Outbox.of(dataSource);
        outbox.inJdbcTransaction(tx -> {
            try (Statement statement = tx.createStatement()) {
                statement.execute("insert into debit values ('" + debit + "', 'w-7', 250)");
            }
            outbox.append(
                    tx,
                    OutboxMessage.to("wallet-tx")
                            .session("w-7")
                            .id("debit-" + debit)
                            .json("{\"cents\": 250}")
                            .build());
        });
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
