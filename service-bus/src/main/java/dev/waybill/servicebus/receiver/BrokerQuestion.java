package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Peeks, to know whether the broker answers: on a connection of its own, and without a session, because a peek is answered for every
 * kind of entity. One at a time, on a thread of its own, because a builder may wait for a credential or a proxy for ever. Thread-safe.
 */
final class BrokerQuestion {
    private final Supplier<ServiceBusClientBuilder> builders;
    private final Entity entity;
    private @Nullable CompletableFuture<Boolean> open;

    BrokerQuestion(Supplier<ServiceBusClientBuilder> builders, Entity entity) {
        this.builders = builders;
        this.entity = entity;
    }

    /** Whether the broker answers in time, or has answered since the last question, which was too slow. */
    boolean ask(Duration atMost) throws InterruptedException {
        CompletableFuture<Boolean> asked = open();
        try {
            return asked.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } finally {
            closeIfDone();
        }
    }

    private synchronized CompletableFuture<Boolean> open() {
        if (open == null) {
            open = CompletableFuture.supplyAsync(this::peek, work -> {
                var thread = new Thread(work, "waybill-inbox-question");
                thread.setDaemon(true);
                thread.start();
            });
        }
        return open;
    }

    private synchronized void closeIfDone() {
        if (open != null && open.isDone()) {
            open = null;
        }
    }

    private boolean peek() {
        try (var client = entity.of(
                        builders.get().retryOptions(ClientOptions.RETRIES).receiver())
                .buildAsyncClient()) {
            client.peekMessage().block(ClientOptions.RETRIES.getTryTimeout());
            return true;
        }
    }
}
