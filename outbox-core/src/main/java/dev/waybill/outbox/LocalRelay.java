package dev.waybill.outbox;

/** A relay in the writer's process, which an outbox wakes by a call ({@link Outbox.Builder#relay}). Thread-safe. */
@FunctionalInterface
public interface LocalRelay {
    /**
     * Called after each commit, on the thread that has committed. Must neither block nor throw.
     *
     * @return true if this relay publishes all messages to the destination, so no other relay needs a notification
     */
    boolean wake(String destination);
}
