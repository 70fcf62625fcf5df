package dev.waybill.proof.role;

import dev.waybill.inbox.ConsumerTuning;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** One process with a consumer for each subscription. */
record ConsumerRole(List<InboxConsumer> consumers) implements AutoCloseable {
    private static final RetryPolicy RETRIES =
            new RetryPolicy(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofSeconds(3));

    static AutoCloseable start(Terms terms, DataSource pool) {
        var started = new ArrayList<InboxConsumer>();
        try {
            for (Consumers consumer : Consumers.values()) {
                started.add(builder(terms, pool, consumer).start());
            }
        } catch (RuntimeException e) {
            started.forEach(InboxConsumer::close);
            throw e;
        }
        return new ConsumerRole(List.copyOf(started));
    }

    private static InboxConsumer.Builder builder(Terms terms, DataSource pool, Consumers consumer) {
        String name = consumer.consumerName();
        var source = ServiceBusSource.ofSubscription(terms.serviceBus(), Terms.DESTINATION, name)
                .withSessions()
                .with(facts -> facts.withLockDuration(Terms.LOCK).withMaxDeliveryCount(BrokerRole.MAX_DELIVERIES));
        return InboxConsumer.builder(pool)
                .name(name)
                .source(source)
                .handler(new TransferHandler(name, consumer == Consumers.NOTIFY, terms.number("lots")))
                .concurrency(consumer.concurrency())
                .batch(batch(terms, consumer))
                .onFailure(consumer == Consumers.LEDGER ? OnFailure.HOLD_SESSION : OnFailure.DEAD_LETTER)
                .retries(RETRIES)
                .handlerTimeout(Terms.HANDLER_TIMEOUT)
                .tuning(ConsumerRole::tune);
    }

    private static int batch(Terms terms, Consumers consumer) {
        return switch (consumer) {
            case LEDGER -> (int) terms.number("ledger-batch");
            case AUDIT -> 20;
            case NOTIFY -> 1;
        };
    }

    private static void tune(ConsumerTuning tuning) {
        tuning.sessionIdle(Duration.ofMillis(100)).drain(Duration.ofSeconds(3));
    }

    @Override
    public void close() {
        consumers.forEach(InboxConsumer::close);
    }
}
