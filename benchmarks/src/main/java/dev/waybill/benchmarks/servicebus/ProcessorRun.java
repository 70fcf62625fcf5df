package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A processor that completes what is in a queue. */
final class ProcessorRun {
    static final int CONCURRENT_CALLS = 8;
    static final int PREFETCH = 0;

    private static final int PATIENCE_MINUTES = 5;

    private final String connectionString;
    private final int messages;
    private final CountDownLatch completed;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    ProcessorRun(EmbeddedServiceBus bus, int messages) {
        this.connectionString = bus.connectionString();
        this.messages = messages;
        this.completed = new CountDownLatch(messages);
    }

    /** Messages completed per second. */
    double rate() throws Exception {
        try (ServiceBusProcessorClient processor = processor()) {
            var watch = Stopwatch.start();
            processor.start();
            if (!completed.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                var late = new TimeoutException(completed.getCount() + " messages were not completed");
                late.initCause(failure.get());
                throw late;
            }
            return watch.rate(messages);
        }
    }

    private ServiceBusProcessorClient processor() {
        return new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .processor()
                .queueName(Backlog.DESTINATION)
                .maxConcurrentCalls(CONCURRENT_CALLS)
                .prefetchCount(PREFETCH)
                .disableAutoComplete()
                .processMessage(context -> {
                    context.complete();
                    completed.countDown();
                })
                .processError(error -> failure.set(error.getException()))
                .buildProcessorClient();
    }
}
