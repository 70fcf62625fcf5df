package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.UnreadableBodyException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Tells a repeat of a message, which is equal, from another message with the same id.
 *
 * @param bodies false if equal facts may have different bodies, as from a codec that encrypts each one anew. A body in the claim store
 * does not count, because each append gives it a new claim
 */
public record ContentChecksum(boolean bodies) {
    int of(InboundMessage message) {
        var checksum = new CRC32C();
        checksum.update(message.subject().orElse("").getBytes(StandardCharsets.UTF_8));
        checksum.update(0);
        if (bodies) {
            checksum.update(body(message));
        }
        return (int) checksum.getValue();
    }

    public boolean isOther(InboundMessage one, InboundMessage other) {
        return of(one) != of(other);
    }

    private static byte[] body(InboundMessage message) {
        try {
            return message.body();
        } catch (UnreadableBodyException e) {
            return new byte[] {1};
        }
    }
}
