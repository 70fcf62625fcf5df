package dev.waybill.standalone.cli;

import dev.waybill.message.BrokerNames;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.replay.Failover.Extent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Whether the inboxes of the declared consumers still know all that is sent again. */
record FailoverMemory(Configuration configuration, Instant now) {
    /** Throws an {@link IllegalArgumentException} if a consumer has forgotten some of it, and would handle it once more. */
    void check(Map<String, Extent> extents) {
        extents.forEach((destination, extent) -> extent.ages().written().ifPresent(oldest -> {
            Set<String> reached = reached(destination);
            configuration.consumers().stream()
                    .filter(consumer -> reached.stream().anyMatch(consumer::receivesFrom))
                    .forEach(consumer -> check(destination, oldest, consumer));
        }));
    }

    // The destination, and those that the broker forwards its messages to.
    private Set<String> reached(String destination) {
        var reached = new LinkedHashSet<String>();
        var next = new ArrayDeque<>(List.of(destination));
        while (!next.isEmpty()) {
            String name = next.remove();
            if (reached.add(name)) {
                configuration.destinations().stream()
                        .filter(each -> each.name().equals(name))
                        .flatMap(this::forwardedTo)
                        .forEach(next::add);
            }
        }
        return reached;
    }

    private Stream<String> forwardedTo(DestinationSettings from) {
        Stream<Receiving> all = from.form().topic()
                ? from.subscriptions().values().stream().map(subscription -> subscription.receiving())
                : Stream.of(from.receiving());
        return all.flatMap(receiving -> receiving.forwardTo().stream())
                .flatMap(path -> configuration.destinations().stream()
                        .filter(each -> BrokerNames.same(each.place().entity(), path)
                                && each.place().namespace().equals(from.place().namespace()))
                        .map(each -> each.name()));
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
