package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.topology.Declaration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The limits of Microsoft's emulator, which are lower than those of Service Bus. */
final class EmulatorLimits {
    private static final int MOST_ENTITIES = 50;
    private static final int MOST_DELIVERIES = 10;
    private static final Duration LONGEST_LIFE = Duration.ofHours(1);
    private static final Duration SHORTEST_LIFE = Duration.ofMinutes(5);
    private static final Duration LONGEST_WINDOW = Duration.ofMinutes(5);
    private static final Duration SHORTEST_LOCK = Duration.ofSeconds(5);
    private static final long LARGEST_MESSAGE = 256 << 10;

    private final List<String> exceeded = new ArrayList<>();

    private EmulatorLimits() {}

    static List<String> exceeded(Declaration declaration) {
        var limits = new EmulatorLimits();
        int entities = declaration.entities().size();
        if (entities > MOST_ENTITIES) {
            limits.tell("the namespace", "has " + entities + " queues and topics, and it takes 50");
        }
        declaration.entities().forEach(limits::check);
        return limits.exceeded;
    }

    private void check(DestinationSettings entity) {
        String path = entity.place().entity();
        if (entity.form().partitioned()) {
            tell(path, "is partitioned, and it has no partitions");
        }
        if (entity.form().maxMessageSize() > LARGEST_MESSAGE) {
            tell(path, "takes messages of more than 256 KiB, and it does not");
        }
        if (entity.form().duplicateWindow().compareTo(LONGEST_WINDOW) > 0) {
            tell(path, "has a duplicate window of " + entity.form().duplicateWindow() + ", and it takes PT5M at most");
        }
        if (!entity.form().topic()) {
            check(path, entity.receiving());
        } else if (entity.subscriptions().isEmpty() || entity.subscriptions().size() > MOST_ENTITIES) {
            tell(path, "has " + entity.subscriptions().size() + " subscriptions, and it takes 1 to 50");
        }
        entity.subscriptions().forEach((name, subscription) -> {
            check(path + "/Subscriptions/" + name, subscription.receiving());
            if (subscription.rules().containsKey(TemplateBuilder.DEFAULT_RULE)) {
                tell(path + "/Subscriptions/" + name, "declares the rule $Default, and it takes no such name");
            }
        });
    }

    private void check(String path, Receiving receiving) {
        Duration life = receiving.timeToLive();
        if (life.compareTo(LONGEST_LIFE) > 0 || life.compareTo(SHORTEST_LIFE) < 0) {
            tell(path, "has a time to live of " + life + ", and it takes PT5M to PT1H");
        }
        if (receiving.maxDeliveryCount() > MOST_DELIVERIES) {
            tell(path, "has a max delivery count of " + receiving.maxDeliveryCount() + ", and it takes 10 at most");
        }
        if (receiving.lockDuration().compareTo(SHORTEST_LOCK) < 0) {
            tell(path, "has locks of " + receiving.lockDuration() + ", and it takes PT5S at least");
        }
    }

    private void tell(String path, String text) {
        exceeded.add("Microsoft's emulator: " + path + " " + text);
    }
}
