package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/** The entity kind that a client expects of a link. Some clients send it when they attach. */
enum EntityKind {
    QUEUE("queue"),
    TOPIC("topic"),
    SUBSCRIPTION("subscription");

    private static final Symbol PROPERTY = Symbol.valueOf("com.microsoft:entity-type");

    private final String label;

    EntityKind(String label) {
        this.label = label;
    }

    /** Rejects a link whose client expects another kind of entity. */
    static void require(Namespace namespace, String path, @Nullable Map<Symbol, Object> properties) {
        EntityKind meant = properties == null ? null : of(properties.get(PROPERTY));
        if (meant == null) {
            return;
        }
        EntityKind found = of(namespace, Namespace.ownerOf(path));
        if (found != null && found != meant) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "The entity '" + path + "' is a " + found.label + " and cannot be used as a " + meant.label + ".");
        }
    }

    /** Other numbers mean other things, or nothing. */
    private static @Nullable EntityKind of(@Nullable Object value) {
        int number = value instanceof Number given ? given.intValue() : -1;
        return number >= 0 && number < values().length ? values()[number] : null;
    }

    private static @Nullable EntityKind of(Namespace namespace, String path) {
        if (namespace.queue(path) != null) {
            return QUEUE;
        }
        if (namespace.topic(path) != null) {
            return TOPIC;
        }
        return namespace.subscription(path) == null ? null : SUBSCRIPTION;
    }
}
