package dev.waybill.servicebus;

import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for long properties. Besides its estimate of body and application properties, the SDK reserves 512 bytes. The
 * estimate counts two bytes for each character and omits the standard properties (ReactorSender#send,
 * ServiceBusMessageSerializer#getSize; azure-sdk-for-java issue 41605). The SDK cannot send larger messages. They get a padding
 * property, whose characters are estimated at two bytes and take one.
 */
final class Padding {
    private static final int RESERVED = 512;

    /** Sections of the message and prefixes of their values; in practice about 60 bytes. */
    private static final int FRAME = 128;

    /** The longest prefix of a text. */
    private static final int BEFORE_TEXT = 5;

    /** The largest excess of other values over the SDK's estimate. */
    private static final int BEYOND_VALUE = 8;

    private Padding() {}

    static void add(Map<String, Object> properties, MessageContent content) {
        properties.remove(WireContract.PADDING);
        int missing = FRAME + standard(content) + body(properties, content) + beyond(properties) - RESERVED;
        if (missing > 0) {
            properties.put(WireContract.PADDING, "x".repeat(missing));
        }
    }

    private static int standard(MessageContent content) {
        return text(content.messageIdOnBroker())
                + text(content.sessionId())
                + text(content.subject())
                + text(content.contentType())
                + text(content.correlationId())
                + text(content.toAddress())
                + text(content.replyTo())
                + text(content.replyToSessionId());
    }

    // The SDK estimates bytes exactly, and text like a property.
    private static int body(Map<String, Object> properties, MessageContent content) {
        if (!properties.containsKey(WireContract.BODY)) {
            return 0;
        }
        int beyond = BEFORE_TEXT;
        for (byte b : content.body()) {
            boolean startsCharacter = (b & 0xc0) != 0x80;
            boolean startsPair = (b & 0xf8) == 0xf0;
            beyond += 1 - (startsCharacter ? 2 : 0) - (startsPair ? 2 : 0);
        }
        return beyond;
    }

    // Negative if the estimate is too high.
    private static int beyond(Map<String, Object> properties) {
        int beyond = 0;
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            beyond += beyond(property.getKey());
            beyond += property.getValue() instanceof String text ? beyond(text) : BEYOND_VALUE;
        }
        return beyond;
    }

    private static int beyond(String text) {
        return text(text) - 2 * text.length();
    }

    private static int text(@Nullable String text) {
        return text == null ? 0 : BEFORE_TEXT + bytes(text);
    }

    private static int bytes(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // A surrogate pair takes four bytes.
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }
}
