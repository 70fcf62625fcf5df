package dev.waybill.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to the broker. Thread-safe; the relay calls it for many lanes at a time, for one lane one call at a
 * time.
 */
public interface Publisher extends AutoCloseable {
    /**
     * Sends rows in order and never one before the broker has accepted those ahead of it.
     *
     * <p>Should report failures in the result. If it throws anything, an {@link Error} too, returns null,
     * completes exceptionally or with a count that does not fit the rows, or neither answers nor asks {@link
     * Shipment#mayContinue} for twice its {@link #longestSend}, the relay takes the destination for unavailable
     * and sends all rows of the shipment again. A result that accepts fewer rows than were given, names no failure and is
     * no answer to a {@link Shipment#mayContinue} that was false, also means an unavailable destination; the rows behind
     * the accepted ones are then sent again.
     *
     * @return how many of the first rows the broker has accepted, and why no more. Completes normally also on
     *     failure, and always within a time bound of the publisher's own: a row whose fate is unknown counts as
     *     not accepted and is sent again. A row is called refused only if it was refused alone
     */
    CompletionStage<PublishResult> publish(Shipment shipment);

    /**
     * Opens what the first send to a destination would have to open. The relay asks for it before it claims the
     * destination, so that messages do not wait for a connection; it waits for the end, whether that is a success or a
     * failure, but not longer than the {@link #longestSend}. May be asked again. Default: there is nothing to
     * open.
     */
    default CompletionStage<?> prepare(String destination) {
        return CompletableFuture.completedFuture(true);
    }

    /** After this long, nothing that {@link #publish} has started can still reach the broker. Default: 30 s. */
    default Duration longestSend() {
        return Duration.ofSeconds(30);
    }

    /**
     * Whether a shipment goes to the {@linkplain Shipment#entity entity in force} where it names one. A destination that a
     * relay with another publisher serves cannot be migrated, and such a relay sends nothing of one that was. Default: no.
     */
    default boolean followsEntities() {
        return false;
    }

    /** Lets go of connections. Sends under way may fail. */
    @Override
    void close();

    /**
     * Rows of one lane, to be sent in this order.
     *
     * @param mayContinue asked before each send: false once the relay's lease may have run out
     * @param entity where a migration has moved the destination; null for where the publisher is set up to send
     */
    record Shipment(
            String destination,
            List<OutboxRow> rows,
            BooleanSupplier mayContinue,
            @Nullable Entity entity) {
        /** To where the publisher is set up to send. */
        public Shipment(String destination, List<OutboxRow> rows, BooleanSupplier mayContinue) {
            this(destination, rows, mayContinue, null);
        }
    }

    /**
     * A queue or topic by its path.
     *
     * @param partitioned whether it takes batches of one session only
     */
    record Entity(String path, boolean partitioned) {}
}
