package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.inbox.Ledger;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The inbox's consumer: the same business write, in the transaction that records the message. */
record ConsumerRun(
        OutboxSchema schema,
        DataSource pool,
        Ledger ledger,
        int batch,
        @Nullable TransactionBoundary transactions) {
    double rate(SessionLoad load) throws Exception {
        ledger.clear();
        try (EmbeddedServiceBus bus = load.start()) {
            var completed = new CountDownLatch(load.messages());
            try (InboxConsumer consumer = consumer(bus, load, completed)) {
                var watch = Stopwatch.start();
                consumer.start();
                if (!completed.await(InboxBenchmark.PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                    throw new TimeoutException(completed.getCount() + " messages were not completed");
                }
                double rate = watch.rate(load.messages());
                ledger.requireRows(load.messages(), load.messages());
                return rate;
            }
        }
    }

    private InboxConsumer consumer(EmbeddedServiceBus bus, SessionLoad load, CountDownLatch completed) {
        InboxConsumer.Builder settings = InboxConsumer.builder(pool)
                .schema(schema.name())
                .name("ledger")
                .source(ServiceBusSource.ofQueue(
                                () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()),
                                Backlog.DESTINATION)
                        .withSessions())
                .handler((tx, message) -> {
                    ledger.write(tx, message.session().orElse(""), message.id());
                    return Verdict.done();
                })
                .listener(new ConsumerListener() {
                    @Override
                    public void settled(InboundMessage message, Outcome outcome) {
                        completed.countDown();
                    }
                })
                .concurrency(load.sessions())
                .batch(batch)
                .tuning(tuning -> tuning.sessionIdle(InboxBenchmark.SESSION_IDLE));
        return transactions == null
                ? settings.build()
                : settings.transactions(transactions).build();
    }
}
