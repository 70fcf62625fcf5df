package dev.waybill.inbox;

import java.time.Duration;
import java.util.Optional;

/** Where messages come from. Thread-safe: each worker asks for one receiver after the other. */
public interface MessageSource extends AutoCloseable {
    /** The description of the entity. */
    EntityDescription facts();

    /**
     * Waits for messages to receive: for a session that has some and that nobody holds, or on an entity without
     * sessions for a link to it.
     *
     * @return empty once {@link #stopAccepting} was called
     * @throws RuntimeException if the broker cannot be asked
     */
    Optional<Receiver> acceptNext() throws InterruptedException;

    /**
     * A receiver for one session, be there messages or not; on an entity without sessions any receiver.
     *
     * @return empty if somebody else holds the session, or if it could not be had in time
     * @throws RuntimeException if the broker cannot be asked
     */
    Optional<Receiver> accept(String session, Duration atMost) throws InterruptedException;

    /** Ends all waiting in {@link #acceptNext}, now and from now on. Receivers handed out before go on. */
    void stopAccepting();

    /** Lets go of connections. Receivers still open end. */
    @Override
    void close();
}
