package dev.waybill.servicebus;

import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Room for long properties. The SDK reserves 512 bytes beside what it reckons for body and application properties, and of
 * those it reckons text at two bytes a character and the standard properties not at all (ReactorSender#send,
 * ServiceBusMessageSerializer#getSize; azure-sdk-for-java issue 41605). It cannot send a message that takes more, so such
 * a message gets one more application property, of characters that are reckoned at two bytes and take one.
 */
final class Padding {
    private static final int RESERVED = 512;

    /** For the message's sections and what stands before the values of each; some 60 in truth. */
    private static final int FRAME = 128;

    /** Most that stands before a text. */
    private static final int BEFORE_TEXT = 5;

    /** Most that a value which is no text takes beyond what is reckoned for it. */
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

    // Bytes are reckoned for what they are, a text like that of a property.
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

    // Below zero where there is room to spare.
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
                // A surrogate is half of four bytes.
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }
}
