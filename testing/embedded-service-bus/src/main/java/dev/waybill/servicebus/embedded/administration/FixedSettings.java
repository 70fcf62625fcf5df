package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.mailbox.Limits;

/** Settings that are fixed at creation. */
final class FixedSettings {
    private FixedSettings() {}

    /** Premium entities set their message size; elsewhere the namespace sets it. */
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
