package dev.waybill.spring.test;

import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.spring.ConfiguredConsumers;
import dev.waybill.spring.autoconfigure.WaybillProperties;
import dev.waybill.test.TestConsumer;
import dev.waybill.test.TestWaybill;
import java.time.Duration;

/**
 * The consumers of the service, each with its handler and its transactions, for single turns. A message that fails
 * is tried for half a second.
 */
public final class ServiceConsumers {
    private static final RetryPolicy QUICK =
            new RetryPolicy(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500));

    private final ConfiguredConsumers consumers;
    private final WaybillProperties properties;
    private final TestWaybill waybill;

    ServiceConsumers(ConfiguredConsumers consumers, WaybillProperties properties, TestWaybill waybill) {
        this.consumers = consumers;
        this.properties = properties;
        this.waybill = waybill;
    }

    /** Makes all of them known to {@link TestWaybill#runUntilQuiet}. */
    void all() {
        properties.consumers().forEach((name, consumer) -> {
            if (consumer.enabled()) {
                var unused = of(name);
            }
        });
    }

    /**
     * A consumer by its name in {@code waybill.consumers}.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public TestConsumer of(String name) {
        // Asked once at once, so that a wrong name is told here.
        var unused = consumers.builder(name);
        String entity = ServiceEntities.entity(properties.consumers().get(name));
        // The builder that the kit offers is replaced, with its handler.
        return waybill.consumer(
                name,
                entity,
                (tx, message) -> Verdict.done(),
                offered -> consumers
                        .builder(name)
                        .retries(QUICK)
                        .tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(20))));
    }
}
