package dev.waybill.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A link that delivers locked messages: of one session in order, or of an entity without sessions. For one thread, except {@link
 * #renewLock}, {@link #whenLost} and {@link #close}.
 *
 * <p>Methods may throw {@link LockLostException}. The broker then delivers unsettled messages again, to the next receiver. If the
 * link ends without a lock, {@link #receive} throws {@link MessageSource.ReceiveException}, and the consumer backs off before the next link.
 */
public interface Receiver extends AutoCloseable {
    /** The locked session; empty on an entity without sessions. */
    Optional<String> session();

    /** Sets how many messages of a session may be fetched while one is handled, under the session's lock. A receiver may ignore this. */
    default void readAhead(int messages) {}

    /** The next message, in order within a session; empty on a timeout. */
    Optional<InboundMessage> receive(Duration atMost) throws InterruptedException;

    /**
     * The next messages, in order. Waits for the first and adds those that arrived with it. Only within a session, whose lock covers
     * all of them.
     *
     * @param most at least 1
     * @return empty on a timeout
     */
    List<InboundMessage> receive(int most, Duration atMost) throws InterruptedException;

    /**
     * Waits until all requested messages have arrived, or until the timeout. They return unchanged with the session. A message in
     * transit when the link closes may count a delivery.
     */
    default void drain(Duration atMost) throws InterruptedException {}

    /** Requests no more messages. {@link #receive} still returns those that have arrived. */
    void stopReceiving();

    /** A deferred message under its own lock; empty if none has that number. */
    Optional<InboundMessage> receiveDeferred(long sequenceNumber);

    /** Removes the message from the entity without waiting for the broker. The stage fails if the outcome is unknown. */
    CompletionStage<@Nullable Void> complete(InboundMessage message);

    /** Returns the message: the broker redelivers it at once, with a higher delivery count. Breaks the order of a session. */
    void abandon(InboundMessage message);

    /** Defers the message: the broker then delivers it only by its sequence number. */
    void defer(InboundMessage message);

    void deadLetter(InboundMessage message, String reason, String description);

    /** The broker's state of the session; empty if there is none. */
    default Optional<byte[]> sessionState() {
        throw new UnsupportedOperationException("This receiver has no session state");
    }

    /** Replaces the broker's state of the session; null removes it. */
    default void sessionState(byte @Nullable [] state) {
        throw new UnsupportedOperationException("This receiver has no session state");
    }

    /**
     * Renews the lock of the session or, without sessions, of the message. For any thread.
     *
     * @param message null between two messages of a session
     * @return fails with a {@link LockLostException} if the lock is lost, or with another cause of this failed renewal
     */
    CompletionStage<@Nullable Void> renewLock(@Nullable InboundMessage message);

    /** Registers a callback, for any thread, that runs when the broker ends the session. */
    void whenLost(Runnable listener);

    /** Gives the session back, on any thread. The broker redelivers unsettled messages. Idempotent. */
    @Override
    void close();
}
