package dev.waybill.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to the broker. Thread-safe: the relay calls it for many lanes at a time, with one call at a time for each
 * lane.
 */
public interface Publisher extends AutoCloseable {
    /**
     * Sends rows in order. A row is sent only after the broker has accepted all rows before it.
     *
     * <p>Failures belong into the result. The relay treats the destination as unavailable, and sends all rows again, if this
     * method breaks its contract: it throws, returns null, completes exceptionally or with an impossible count, or neither
     * completes nor asks {@link Shipment#mayContinue} for twice its {@link #longestSend}. After a result with fewer rows and
     * without a failure, unless {@link Shipment#mayContinue} was false, the relay sends the remaining rows again.
     *
     * @return the number of accepted rows, and why no more. Completes normally even after a failure, within a time limit of the
     * publisher. A row with an unknown outcome counts as not accepted. A row counts as refused only if it was refused alone
     */
    CompletionStage<PublishResult> publish(Shipment shipment);

    /**
     * Opens the connections for a destination. The relay calls this before it claims the destination, and waits for the result
     * at most {@link #longestSend}. May be called again. Default: does nothing.
     */
    default CompletionStage<?> prepare(String destination) {
        return CompletableFuture.completedFuture(true);
    }

    /** The longest time after which {@link #publish} can still reach the broker. Default: 30 s. */
    default Duration longestSend() {
        return Duration.ofSeconds(30);
    }

    /**
     * Whether the publisher sends to {@link Shipment#entity}, the target of a migration. Destinations of other publishers
     * cannot be migrated, and their relays do not serve migrated destinations. Default: false.
     */
    default boolean followsEntities() {
        return false;
    }

    /**
     * Where messages of a destination go, such as {@code host/entity}. Relays that serve one destination compare it, and raise
     * an alarm if it differs. Asked on a thread of its own. Default: empty, which is not compared.
     */
    default String place(String destination) {
        return "";
    }

    /** Closes all connections. Sends in flight may fail. */
    @Override
    void close();

    /**
     * Rows of one lane, in order.
     *
     * @param mayContinue to be asked before each send: false once the relay's lease may have expired
     * @param entity the target of a migration; null for the configured entity
     */
    record Shipment(
            String destination,
            List<OutboxRow> rows,
            BooleanSupplier mayContinue,
            @Nullable Entity entity) {
        /** A shipment to the configured entity. */
        public Shipment(String destination, List<OutboxRow> rows, BooleanSupplier mayContinue) {
            this(destination, rows, mayContinue, null);
        }
    }

    /**
     * A queue or topic.
     *
     * @param partitioned whether each batch must have a single session
     */
    record Entity(String path, boolean partitioned) {}
}
