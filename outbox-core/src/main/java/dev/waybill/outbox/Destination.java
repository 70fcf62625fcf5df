package dev.waybill.outbox;

/**
 * A queue or topic as a writer must know it to refuse a message before it is stored.
 *
 * @param name the entity's path in its namespace
 * @param requiresSession whether every message needs a session
 * @param maximumBytes the largest message that the entity takes, properties included, in bytes; of that the Azure
 *     SDK can use 63 KB of each 64
 * @param claimsAbove the largest body, in bytes, that goes with its message; a larger one is kept in the outbox's
 *     claim store. {@link #NO_CLAIMS}: every body goes with its message, and one that is too large is refused
 */
public record Destination(String name, boolean requiresSession, int maximumBytes, int claimsAbove) {
    /** Standard tier: 256 KiB. */
    public static final int STANDARD_BYTES = 256 * 1024;

    /** No body is kept outside its message. */
    public static final int NO_CLAIMS = Integer.MAX_VALUE;

    /** Checks the name and the sizes. */
    public Destination {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A destination needs a name");
        }
        if (maximumBytes <= 0) {
            throw new IllegalArgumentException("Destination '" + name + "' needs a positive maximum size");
        }
        if (claimsAbove < 0) {
            throw new IllegalArgumentException("Destination '" + name + "' cannot keep bodies above a negative size");
        }
    }

    /** An entity of the Standard tier without sessions. */
    public static Destination of(String name) {
        return new Destination(name, false, STANDARD_BYTES, NO_CLAIMS);
    }

    /** The same with sessions required. */
    public Destination withSessions() {
        return new Destination(name, true, maximumBytes, claimsAbove);
    }

    /** The same with another size limit (Premium: up to 100 MB), in bytes. */
    public Destination withMaximumBytes(int bytes) {
        return new Destination(name, requiresSession, bytes, claimsAbove);
    }

    /** The same with bodies above this size, in bytes and after the codec, kept in the outbox's claim store. */
    public Destination withClaimsAbove(int bytes) {
        return new Destination(name, requiresSession, maximumBytes, bytes);
    }

    void check(OutboxMessage message) {
        if (requiresSession && message.session().isEmpty()) {
            throw new InvalidMessageException(message + " has no session, and '" + name + "' requires one");
        }
        MessageRules.checkSize(message, sendableBytes());
    }

    // The Azure SDK sends in batches alone, and keeps 1 KB of each 64 KB of a batch free (ServiceBusMessageBatch).
    private int sendableBytes() {
        return maximumBytes - maximumBytes / 65_536 * 1_024;
    }
}
