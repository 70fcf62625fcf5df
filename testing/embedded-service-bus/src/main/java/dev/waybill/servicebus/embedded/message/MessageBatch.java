package dev.waybill.servicebus.embedded.message;

import java.util.ArrayList;
import java.util.List;

/** The content of one transfer: a message, or an envelope around several. */
public final class MessageBatch {
    /** The message format of an envelope. */
    public static final int FORMAT = 0x80013700;

    private MessageBatch() {}

    /** Throws {@code MalformedMessageException} if the transfer carries no message. */
    public static List<BrokerMessage> parse(byte[] bytes, int format) {
        if (format != FORMAT) {
            return List.of(BrokerMessage.parse(bytes, 0, bytes.length));
        }
        List<BrokerMessage> messages = new ArrayList<>();
        SectionScanner scanner = new SectionScanner(bytes, 0, bytes.length);
        while (scanner.advance()) {
            if (scanner.code() == SectionScanner.DATA) {
                int from = scanner.binaryStart();
                messages.add(BrokerMessage.parse(bytes, from, scanner.end() - from));
            }
        }
        return messages;
    }
}
