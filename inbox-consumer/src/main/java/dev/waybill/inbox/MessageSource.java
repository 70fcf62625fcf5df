package dev.waybill.inbox;

import dev.waybill.supervision.OutsideFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A source of messages. Thread-safe: each worker asks for one receiver after another. */
public interface MessageSource extends AutoCloseable {
    EntityDescription facts();

    /**
     * Waits for a receiver: of a session that has messages and no owner, or of an entity without sessions.
     *
     * @return empty after {@link #stopAccepting}
     * @throws ReceiveException if the broker is unavailable or refuses
     */
    Optional<Receiver> acceptNext() throws InterruptedException;

    /**
     * A receiver for one session, even without messages; on an entity without sessions any receiver.
     *
     * @return empty if another receiver has the session, or the time is over
     * @throws RuntimeException if the broker is unavailable
     */
    Optional<Receiver> accept(String session, Duration atMost) throws InterruptedException;

    /**
     * Asks the broker about the entity by a request that changes nothing, such as a peek. A consumer that has failed asks before it says
     * that it receives again: a client library may wait for ever on a link that the broker has never granted.
     *
     * @param atMost waits no longer
     * @return false if there is no answer; true without asking, by default
     */
    default boolean answers(Duration atMost) throws InterruptedException {
        return true;
    }

    /** The broker refuses the link, or has ended it. The consumer logs this once for all its threads, backs off and opens a new link. */
    final class ReceiveException extends RuntimeException implements OutsideFailure {
        private static final long serialVersionUID = 1L;

        /** @param cause the broker's words; null if the broker gave none */
        public ReceiveException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** Ends all current and later waits in {@link #acceptNext}. Existing receivers stay open. */
    void stopAccepting();

    /** Closes the connections and all receivers. */
    @Override
    void close();
}
