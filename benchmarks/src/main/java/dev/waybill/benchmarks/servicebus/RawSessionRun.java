package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessageContext;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.inbox.Ledger;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The SDK's session processor: the business write, one commit and one complete per message, and no inbox. */
record RawSessionRun(DSLContext dsl, Ledger ledger) {
    double rate(SessionLoad load) throws Exception {
        ledger.clear();
        try (EmbeddedServiceBus bus = load.start()) {
            var completed = new CountDownLatch(load.messages());
            var failure = new AtomicReference<@Nullable Throwable>();
            try (ServiceBusProcessorClient processor = processor(bus, load, completed, failure)) {
                var watch = Stopwatch.start();
                processor.start();
                if (!completed.await(InboxBenchmark.PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                    var late = new TimeoutException(completed.getCount() + " messages were not completed");
                    late.initCause(failure.get());
                    throw late;
                }
                double rate = watch.rate(load.messages());
                ledger.requireRows(load.messages(), 0);
                return rate;
            }
        }
    }

    private ServiceBusProcessorClient processor(
            EmbeddedServiceBus bus,
            SessionLoad load,
            CountDownLatch completed,
            AtomicReference<@Nullable Throwable> failure) {
        return new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sessionProcessor()
                .queueName(Backlog.DESTINATION)
                .maxConcurrentSessions(load.sessions())
                .sessionIdleTimeout(InboxBenchmark.SESSION_IDLE)
                .prefetchCount(0)
                .disableAutoComplete()
                .processMessage(context -> handle(context, completed))
                .processError(error -> failure.set(error.getException()))
                .buildProcessorClient();
    }

    private void handle(ServiceBusReceivedMessageContext context, CountDownLatch completed) {
        var message = context.getMessage();
        dsl.transaction(tx -> ledger.write(tx.dsl(), message.getSessionId(), message.getMessageId()));
        context.complete();
        completed.countDown();
    }
}
