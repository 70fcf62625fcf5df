package dev.waybill.servicebus.embedded.message;

import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.qpid.proton.amqp.messaging.Properties;

/** Assigns ids to messages without one. For the broker's thread. */
public final class MessageIds {
    private static final HexFormat HEX = HexFormat.of();
    // Ids must be unique, not unpredictable.
    private static final SplittableRandom RANDOM = new SplittableRandom();

    private MessageIds() {}

    /** The id has 32 hexadecimal digits, as Azure's clients used when they still assigned ids. */
    public static BrokerMessage assign(BrokerMessage message) {
        if (message.messageId() != null) {
            return message;
        }
        Properties properties = MessageEditor.copyOf(message.properties());
        properties.setMessageId(HEX.toHexDigits(RANDOM.nextLong()) + HEX.toHexDigits(RANDOM.nextLong()));
        return message.with(properties);
    }
}
