package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rules of Service Bus for entities that forward, at creation and change. */
final class ForwardingRules {
    private ForwardingRules() {}

    static void check(String path, QueueOptions options, Directory directory) {
        if (options.forwardTo() != null && options.sessionRequired()) {
            throw refused(
                    "SubCode=40000. An entity that requires sessions cannot forward its messages: '" + path + "'.");
        }
        target(path, options.forwardTo(), directory);
        target(path, options.forwardDeadLettersTo(), directory);
    }

    private static void target(String path, @Nullable String onto, Directory directory) {
        if (onto == null) {
            return;
        }
        if (onto.toLowerCase(Locale.ROOT).equals(path.toLowerCase(Locale.ROOT))) {
            throw refused("SubCode=40000. An entity cannot forward to itself: '" + path + "'.");
        }
        if (directory.intake(onto) == null) {
            throw refused("SubCode=40400. The auto forwarding destination entity does not exist: '" + onto + "'.");
        }
    }

    private static Refused refused(String why) {
        return new Refused(BrokerError.ARGUMENT_ERROR, why);
    }
}
