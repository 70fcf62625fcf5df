package dev.waybill.servicebus.embedded.message;

import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.qpid.proton.amqp.messaging.Properties;

/** Ids for messages whose senders gave them none. Confined to the broker's thread. */
public final class MessageIds {
    private static final HexFormat HEX = HexFormat.of();
    // Ids need be unlike each other and not hard to guess, so a fast generator will do.
    private static final SplittableRandom RANDOM = new SplittableRandom();

    private MessageIds() {}

    /**
     * The message itself if it has an id, or a copy with one: 32 hexadecimal digits, the form that Service Bus's own
     * clients gave to messages when they still assigned ids.
     */
    public static BrokerMessage assign(BrokerMessage message) {
        if (message.messageId() != null) {
            return message;
        }
        Properties properties = MessageEditor.copyOf(message.properties());
        properties.setMessageId(HEX.toHexDigits(RANDOM.nextLong()) + HEX.toHexDigits(RANDOM.nextLong()));
        return message.with(properties);
    }
}
