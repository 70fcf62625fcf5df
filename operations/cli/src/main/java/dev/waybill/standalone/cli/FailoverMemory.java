package dev.waybill.standalone.cli;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.replay.Failover.Extent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Whether the inboxes of the declared consumers still know all that is sent again. */
record FailoverMemory(Configuration configuration, Instant now) {
    /** Throws an {@link IllegalArgumentException} if a consumer has forgotten some of it, and would handle it once more. */
    void check(Map<String, Extent> extents) {
        extents.forEach((destination, extent) -> extent.ages()
                .written()
                .ifPresent(oldest -> configuration.consumers().stream()
                        .filter(consumer -> consumer.entity().equals(destination)
                                || consumer.entity().startsWith(destination + "/"))
                        .forEach(consumer -> check(destination, oldest, consumer))));
    }

    private void check(String destination, Instant oldest, ConsumerSettings consumer) {
        Duration retention = consumer.memory().retention();
        if (!retention.isZero() && oldest.isBefore(now.minus(retention))) {
            throw new IllegalArgumentException("The consumer '" + consumer.name() + "' remembers ids for "
                    + Times.text(retention) + ", and '" + destination
                    + "' would send messages again that were appended at "
                    + oldest + ": give a later --since, or they are handled twice");
        }
    }
}
