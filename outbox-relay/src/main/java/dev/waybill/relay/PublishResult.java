package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * The result of a shipment.
 *
 * @param accepted number of rows, counted from the first, that the broker has accepted
 * @param outcome why no more: {@link Outcome#ACCEPTED} if all were accepted, or {@link Publisher.Shipment#mayContinue} has
 * stopped the shipment; {@link Outcome#MESSAGE_REFUSED} if the broker refuses the next row, while nothing is known about later
 * rows; {@link Outcome#UNEXPLAINED} if that may be the fault of one of the rows sent together
 * @param failure the exception; null only on success. The reason of a hold is its type, or that of a {@link PublishException}
 */
public record PublishResult(
        int accepted, Outcome outcome, @Nullable Throwable failure) {
    /** Nothing was sent, because the circuit breaker was open. */
    public static PublishResult notSent() {
        return new PublishResult(0, Outcome.NOT_SENT, null);
    }

    /** The broker has accepted the first {@code count} rows. These are all rows, unless the shipment was stopped. */
    public static PublishResult accepted(int count) {
        return new PublishResult(count, Outcome.ACCEPTED, null);
    }

    /** The outcome of the rows after the first {@code accepted} is unknown, and no row is at fault. */
    public static PublishResult failed(int accepted, Throwable failure) {
        return new PublishResult(accepted, Outcome.UNAVAILABLE, failure);
    }

    /** The broker refuses the row after the first {@code accepted}. */
    public static PublishResult refused(int accepted, Throwable failure) {
        return new PublishResult(accepted, Outcome.MESSAGE_REFUSED, failure);
    }
}
