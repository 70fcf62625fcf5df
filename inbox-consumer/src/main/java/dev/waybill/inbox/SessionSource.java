package dev.waybill.inbox;

import java.util.Optional;

/** Where sessions come from. Thread-safe: each worker asks for one after the other. */
public interface SessionSource extends AutoCloseable {
    /**
     * Waits for a session that has messages and that nobody holds.
     *
     * @return empty if there was none within the source's own patience
     * @throws RuntimeException if the broker cannot be asked
     */
    Optional<MessageSession> acceptNext() throws InterruptedException;

    /** Lets go of connections; a waiting {@link #acceptNext} returns or fails. */
    @Override
    void close();
}
