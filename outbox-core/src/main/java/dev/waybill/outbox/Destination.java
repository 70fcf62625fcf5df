package dev.waybill.outbox;

/**
 * A queue or topic, with the limits that the outbox checks before it stores a message.
 *
 * @param name the entity's path in its namespace
 * @param requiresSession whether every message needs a session
 * @param maximumBytes the largest message including properties, in bytes; the Azure SDK uses 63 KB of each 64
 * @param claimsAbove the largest body that stays in its message, in bytes; larger bodies go to the claim store. With
 * {@link #NO_CLAIMS} every body stays in its message
 */
public record Destination(String name, boolean requiresSession, int maximumBytes, int claimsAbove) {
    /** The limit of the Standard tier, 256 KiB. */
    public static final int STANDARD_BYTES = 256 * 1024;

    /** Every body stays in its message. */
    public static final int NO_CLAIMS = Integer.MAX_VALUE;

    public Destination {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A destination needs a name");
        }
        if (!name.equals(name.strip())) {
            throw new IllegalArgumentException("The destination '" + name + "' begins or ends with a blank");
        }
        if (maximumBytes <= 0) {
            throw new IllegalArgumentException("Destination '" + name + "' needs a positive maximum size");
        }
        if (claimsAbove < 0) {
            throw new IllegalArgumentException("Destination '" + name + "' cannot keep bodies above a negative size");
        }
    }

    /** A destination of the Standard tier without sessions. */
    public static Destination of(String name) {
        return new Destination(name, false, STANDARD_BYTES, NO_CLAIMS);
    }

    public Destination withSessions() {
        return new Destination(name, true, maximumBytes, claimsAbove);
    }

    /** Sets the size limit in bytes; Premium allows up to 100 MB. */
    public Destination withMaximumBytes(int bytes) {
        return new Destination(name, requiresSession, bytes, claimsAbove);
    }

    /** Stores bodies above this size in the claim store; in bytes, after the codec. */
    public Destination withClaimsAbove(int bytes) {
        return new Destination(name, requiresSession, maximumBytes, bytes);
    }

    void check(OutboxMessage message) {
        if (requiresSession && message.session().isEmpty()) {
            throw new InvalidMessageException(message + " has no session, and '" + name + "' requires one");
        }
        MessageRules.checkSize(message, sendableBytes());
    }

    // The Azure SDK sends only batches and leaves 1 KB of each 64 KB free (ServiceBusMessageBatch).
    private int sendableBytes() {
        return maximumBytes - maximumBytes / 65_536 * 1_024;
    }
}
