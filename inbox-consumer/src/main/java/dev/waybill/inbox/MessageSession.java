package dev.waybill.inbox;

import java.time.Duration;
import java.util.Optional;

/**
 * A session whose messages only this process receives, as long as its lock lasts. Used by one thread.
 *
 * <p>Every method may throw {@link SessionLostException}: the messages not settled by then come again, to whoever has the
 * session next.
 */
public interface MessageSession extends AutoCloseable {
    /** The session's id. */
    String id();

    /** The next message in order, or empty if none came in time. The one before must be settled. */
    Optional<InboundMessage> receive(Duration atMost) throws InterruptedException;

    /** Removes the message from the entity. */
    void complete(InboundMessage message);

    /** Moves the message to the dead-letter queue. */
    void deadLetter(InboundMessage message, String reason, String description);

    /** Gives the session back. What was received and not settled comes again. */
    @Override
    void close();
}
