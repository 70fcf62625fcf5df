package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.mailbox.Limits;

/** The settings that are fixed when an entity is created. */
final class FixedSettings {
    private FixedSettings() {}

    /** Sizes of messages are chosen on Premium; elsewhere they are the namespace's. */
    static QueueOptions sized(QueueOptions wanted, Limits limits) {
        if (limits.tier() != Tier.PREMIUM && wanted.maxMessageBytes() > limits.messageBytes()) {
            throw new IllegalArgumentException(
                    "SubCode=40000. MaxMessageSizeInKilobytes cannot be more than " + limits.messageBytes() / 1024);
        }
        return wanted;
    }

    static void check(QueueOptions before, QueueOptions after) {
        if (before.sessionRequired() != after.sessionRequired()) {
            throw new IllegalArgumentException("The value for the RequiresSession property cannot be changed");
        }
        if ((before.duplicateWindow() == null) != (after.duplicateWindow() == null)) {
            throw new IllegalArgumentException(
                    "The value for the RequiresDuplicateDetection property cannot be changed");
        }
        if (before.partitioned() != after.partitioned()) {
            throw new IllegalArgumentException("The value for the EnablePartitioning property cannot be changed");
        }
    }
}
