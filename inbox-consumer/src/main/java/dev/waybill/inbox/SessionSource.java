package dev.waybill.inbox;

import java.util.Optional;

/** Where sessions come from. Thread-safe: each worker asks for one after the other. */
public interface SessionSource extends AutoCloseable {
    /**
     * Waits for a session that has messages and that nobody holds.
     *
     * @return empty once {@link #stopAccepting} was called
     * @throws RuntimeException if the broker cannot be asked
     */
    Optional<MessageSession> acceptNext() throws InterruptedException;

    /** Ends all waiting in {@link #acceptNext}, now and from now on. Sessions accepted before go on. */
    void stopAccepting();

    /** Lets go of connections. Sessions still held end. */
    @Override
    void close();
}
