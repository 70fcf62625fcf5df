package dev.waybill.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A link that hands out messages under lock: those of one session in order, or those of an entity without sessions. Used by
 * one thread, apart from {@link #renewLock}, {@link #whenLost} and {@link #close}.
 *
 * <p>Methods may throw {@link LockLostException}: what was not settled by then comes again, to whoever receives next.
 */
public interface Receiver extends AutoCloseable {
    /** The session that is locked for this receiver; empty on an entity without sessions. */
    Optional<String> session();

    /**
     * How many messages of a session may be under way or lie here while one is handled: the session's lock holds for all of
     * them. A receiver may ignore it, and does where each message has a lock of its own.
     */
    default void readAhead(int messages) {}

    /** The next message, in order within a session, or empty if none came in time. */
    Optional<InboundMessage> receive(Duration atMost) throws InterruptedException;

    /**
     * The next messages, in order: waits for the first, and takes along what has arrived with it. Only inside a session,
     * whose lock holds for all of them.
     *
     * @param most at least 1
     * @return empty if none came in time
     */
    List<InboundMessage> receive(int most, Duration atMost) throws InterruptedException;

    /**
     * Waits until what was asked for has arrived, or the time is over. What arrives is not handed out: it goes back with the
     * session, as it was. On its way while the link closes, it might count a delivery.
     */
    default void drain(Duration atMost) throws InterruptedException {}

    /** Asks for no more messages. {@link #receive} still hands out messages that have arrived by then. */
    void stopReceiving();

    /** A message that was deferred, under a lock of its own; empty if there is none of that number. */
    Optional<InboundMessage> receiveDeferred(long sequenceNumber);

    /**
     * Removes the message from the entity. Does not wait for the broker.
     *
     * @return done once the broker has confirmed it; failed if it is unknown whether the message is gone
     */
    CompletionStage<@Nullable Void> complete(InboundMessage message);

    /** Gives the message back: it comes again at once, with one delivery more. Breaks the order inside a session. */
    void abandon(InboundMessage message);

    /** Sets the message aside in the entity: it comes again only by its sequence number. */
    void defer(InboundMessage message);

    /** Moves the message to the dead-letter queue. */
    void deadLetter(InboundMessage message, String reason, String description);

    /** The state that the broker keeps of the session; empty if there is none. */
    default Optional<byte[]> sessionState() {
        throw new UnsupportedOperationException("There is no session state here");
    }

    /** Replaces the state that the broker keeps of the session; null removes it. */
    default void sessionState(byte @Nullable [] state) {
        throw new UnsupportedOperationException("There is no session state here");
    }

    /**
     * Prolongs the lock of the session or, without sessions, of the message; by any thread.
     *
     * @param message null between two messages of a session
     * @return fails with a {@link LockLostException} if there is nothing left to prolong, otherwise with whatever prevented
     *     it this time
     */
    CompletionStage<@Nullable Void> renewLock(@Nullable InboundMessage message);

    /** Whom to tell, on any thread, when the broker takes the session away. */
    void whenLost(Runnable listener);

    /** Gives the session back, by any thread. Messages that were received and not settled come again. Idempotent. */
    @Override
    void close();
}
