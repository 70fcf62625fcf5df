package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;

/** What an entity keeps from its creation on. */
final class FixedSettings {
    private FixedSettings() {}

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
