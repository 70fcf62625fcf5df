package dev.waybill.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.message.WireContract;
import org.jspecify.annotations.Nullable;

/** The ids of received messages, equal for the inbox and for dead letters, so that a re-driven message is recognized. */
public final class MessageIds {
    private MessageIds() {}

    /** The writer's logical id, or else the broker's id. */
    public static String logical(ServiceBusReceivedMessage message, String entityPath) {
        return message.getApplicationProperties().get(WireContract.LOGICAL_ID) instanceof String id && !id.isEmpty()
                ? id
                : ofBroker(message, entityPath);
    }

    /** The MessageId. If the producer has set none, the entity and sequence number identify the message. */
    public static String ofBroker(ServiceBusReceivedMessage message, String entityPath) {
        @Nullable String id = message.getMessageId();
        return id == null || id.isEmpty() ? entityPath + "#" + message.getSequenceNumber() : id;
    }
}
