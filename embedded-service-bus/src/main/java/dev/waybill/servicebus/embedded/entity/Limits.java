package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.Tier;

/**
 * The limits of a broker, in bytes where nothing else is named.
 *
 * @param tier which features there are
 * @param messageBytes the largest message
 * @param batchBytes the largest batch
 * @param headBytes the largest properties and application properties of one message
 * @param idLength the longest message, session and partition id, in characters
 */
public record Limits(Tier tier, int messageBytes, int batchBytes, int headBytes, int idLength) {
    /** The limits of a tier. */
    public static Limits of(Tier tier) {
        return new Limits(tier, tier.messageBytes(), tier.batchBytes(), 64 * 1024, 128);
    }

    /** The same, with another largest message. */
    public Limits withMessageBytes(int bytes) {
        return new Limits(tier, bytes, Math.min(bytes, 1024 * 1024), headBytes, idLength);
    }
}
