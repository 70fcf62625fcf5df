package dev.waybill.outbox;

/**
 * What a writer must know of a queue or topic to refuse a message before it is stored.
 *
 * @param name the entity's path in its namespace
 * @param requiresSession whether every message needs a session
 * @param maximumBytes the largest message, properties included, in bytes
 */
public record Destination(String name, boolean requiresSession, int maximumBytes) {
    /** Standard tier: 256 KiB. */
    public static final int STANDARD_BYTES = 256 * 1024;

    /** Checks the name and the size. */
    public Destination {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A destination needs a name");
        }
        if (maximumBytes <= 0) {
            throw new IllegalArgumentException("Destination '" + name + "' needs a positive maximum size");
        }
    }

    /** An entity of the Standard tier without sessions. */
    public static Destination of(String name) {
        return new Destination(name, false, STANDARD_BYTES);
    }

    /** The same with sessions required. */
    public Destination withSessions() {
        return new Destination(name, true, maximumBytes);
    }

    /** The same with another size limit (Premium: up to 100 MB), in bytes. */
    public Destination withMaximumBytes(int bytes) {
        return new Destination(name, requiresSession, bytes);
    }

    void check(OutboxMessage message) {
        if (requiresSession && message.session().isEmpty()) {
            throw new InvalidMessageException(message + " has no session, and '" + name + "' requires one");
        }
        MessageRules.checkSize(message, maximumBytes);
    }
}
