package dev.waybill.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.message.WireContract;
import org.jspecify.annotations.Nullable;

/** The ids of a received message, the same for the inbox and for dead letters, so that a re-driven message is known again. */
public final class MessageIds {
    private MessageIds() {}

    /** The logical id that its writer gave it; without one, the broker's. */
    public static String logical(ServiceBusReceivedMessage message, String entityPath) {
        return message.getApplicationProperties().get(WireContract.LOGICAL_ID) instanceof String id && !id.isEmpty()
                ? id
                : ofBroker(message, entityPath);
    }

    /** The MessageId. A producer may leave it out; its place in the entity identifies such a message. */
    public static String ofBroker(ServiceBusReceivedMessage message, String entityPath) {
        @Nullable String id = message.getMessageId();
        return id == null || id.isEmpty() ? entityPath + "#" + message.getSequenceNumber() : id;
    }
}
