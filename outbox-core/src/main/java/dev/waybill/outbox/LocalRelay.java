package dev.waybill.outbox;

/**
 * A relay in the writer's process, which an outbox tells of its commits without the database
 * ({@link Outbox.Builder#relay}). Waybill's {@code Relay} is one. Thread-safe.
 */
@FunctionalInterface
public interface LocalRelay {
    /**
     * Says that messages to this destination have committed. The thread that has committed calls it, after each commit; so it
     * neither waits nor throws.
     *
     * @return whether this relay publishes all messages to the destination, so that no other need be told. Nothing but the
     *     speed of others depends on the answer
     */
    boolean wake(String destination);
}
