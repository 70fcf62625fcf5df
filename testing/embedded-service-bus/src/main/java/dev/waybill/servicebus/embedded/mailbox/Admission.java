package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.jspecify.annotations.Nullable;

public final class Admission {
    private Admission() {}

    public static void check(
            String path, QueueOptions options, Limits limits, long bytesHeld, List<BrokerMessage> messages) {
        if (!options.status().sends()) {
            throw new Refused(
                    BrokerError.ENTITY_DISABLED, "Messaging entity '" + path + "' is currently disabled for sending.");
        }
        if (options.partitioned()) {
            Partitions.check(messages);
        }
        int largest = largest(options, limits);
        long total = 0;
        for (BrokerMessage message : messages) {
            total += message.size();
            if (message.size() > largest) {
                throw new Refused(
                        BrokerError.MESSAGE_SIZE_EXCEEDED,
                        "The message (size: " + message.size() + ") is larger than is currently allowed (" + largest
                                + ").");
            }
            identified(options, limits, message);
            eachProperty(limits, message);
        }
        room(path, options, bytesHeld, total);
    }

    public static void room(String path, QueueOptions options, long bytesHeld, long more) {
        if (more > options.maxSizeBytes() - bytesHeld) {
            throw new Refused(
                    BrokerError.RESOURCE_LIMIT_EXCEEDED,
                    "The maximum entity size has been reached or exceeded for '" + path + "'. Size of entity in bytes: "
                            + bytesHeld + ", Max entity size in bytes: " + options.maxSizeBytes() + ".");
        }
    }

    static void properties(int size, int largest) {
        if (size > largest) {
            throw new Refused(
                    BrokerError.MESSAGE_SIZE_EXCEEDED,
                    "The properties of the message (size: " + size + ") would be larger than is currently allowed ("
                            + largest + ").");
        }
    }

    public static int largest(QueueOptions options, Limits limits) {
        return options.maxMessageBytes() > 0 ? options.maxMessageBytes() : limits.messageBytes();
    }

    private static void identified(QueueOptions options, Limits limits, BrokerMessage message) {
        String session = message.sessionId();
        if (options.sessionRequired() && session == null) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "The SessionId was not set on a message, and it cannot be sent to the entity. Entities that have"
                            + " session support enabled can only receive messages that have the SessionId set to a"
                            + " valid value.");
        }
        String id = message.messageId();
        if (tooLong(session, limits) || tooLong(id, limits)) {
            throw new Refused(
                    BrokerError.ARGUMENT_ERROR,
                    "A message or session id is longer than " + limits.idLength() + " characters.");
        }
    }

    // Service Bus documents the limit, and no condition for it.
    private static void eachProperty(Limits limits, BrokerMessage message) {
        if (message.headSize() <= limits.propertyBytes()) {
            return;
        }
        message.applicationProperties().forEach((name, value) -> {
            if (bytes(name) + bytes(value) > limits.propertyBytes()) {
                throw new Refused(
                        BrokerError.INTERNAL_ERROR,
                        "The service was unable to process the request; please retry the operation.");
            }
        });
    }

    private static int bytes(@Nullable Object value) {
        return value instanceof Binary binary
                ? binary.getLength()
                : String.valueOf(value).getBytes(StandardCharsets.UTF_8).length;
    }

    private static boolean tooLong(@Nullable String id, Limits limits) {
        return id != null && id.length() > limits.idLength();
    }
}
