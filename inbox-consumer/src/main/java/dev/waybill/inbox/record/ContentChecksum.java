package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.message.WireContract;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Tells a repeat of a message, which is equal, from another message with the same id. */
final class ContentChecksum {
    private ContentChecksum() {}

    static int of(InboundMessage message) {
        var checksum = new CRC32C();
        add(checksum, message.subject().orElse(""));
        byte[] body = body(message);
        checksum.update(body);
        if (body.length == 0) {
            add(checksum, String.valueOf(message.headers().get(WireContract.CLAIM)));
        }
        return (int) checksum.getValue();
    }

    private static byte[] body(InboundMessage message) {
        try {
            return message.body();
        } catch (UnreadableBodyException e) {
            return new byte[] {1};
        }
    }

    private static void add(CRC32C checksum, String text) {
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        checksum.update(0);
    }
}
