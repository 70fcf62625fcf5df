package dev.waybill.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.message.BrokerNames;
import dev.waybill.message.WireContract;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ids and properties of received messages, equal for the inbox and for dead letters, so that a re-driven message is recognized.
 *
 * <p>Services that copy all properties of a message to one of their own copy Waybill's, too. They are believed only on a message whose
 * MessageId is the logical id, or one that a re-drive of this id has.
 */
public final class MessageIds {
    private MessageIds() {}

    /** The writer's logical id, or else the broker's id. */
    public static String logical(ServiceBusReceivedMessage message, String entityPath) {
        @Nullable String id = logicalOrNull(message);
        return id == null ? ofBroker(message, entityPath) : id;
    }

    /**
     * The MessageId. If the producer has set none, the entity, the sequence number and the enqueued time identify the message: a
     * recreated entity begins its numbers again.
     */
    public static String ofBroker(ServiceBusReceivedMessage message, String entityPath) {
        @Nullable String id = message.getMessageId();
        if (id != null && !id.isEmpty()) {
            return id;
        }
        @Nullable OffsetDateTime enqueued = message.getEnqueuedTime();
        return BrokerNames.key(entityPath) + "#" + message.getSequenceNumber() + "@"
                + (enqueued == null ? 0 : enqueued.toInstant().toEpochMilli());
    }

    /** The application properties, without Waybill's own if another message brought them. Not to be changed. */
    public static Map<String, Object> properties(ServiceBusReceivedMessage message) {
        Map<String, Object> all = message.getApplicationProperties();
        if (logicalOrNull(message) != null || all.keySet().stream().noneMatch(WireContract::isOwn)) {
            return all;
        }
        var own = new LinkedHashMap<>(all);
        own.keySet().removeIf(WireContract::isOwn);
        return own;
    }

    /** The claim that another message's properties brought, as text; null for none. Not believed. */
    public static @Nullable String claimOfAnother(ServiceBusReceivedMessage message) {
        @Nullable Object claim = message.getApplicationProperties().get(WireContract.CLAIM);
        return claim == null || logicalOrNull(message) != null ? null : claim.toString();
    }

    private static @Nullable String logicalOrNull(ServiceBusReceivedMessage message) {
        return message.getApplicationProperties().get(WireContract.LOGICAL_ID) instanceof String id
                        && !id.isEmpty()
                        && WireContract.isIdOf(message.getMessageId(), id)
                ? id
                : null;
    }
}
