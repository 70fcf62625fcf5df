package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * The result of a shipment.
 *
 * @param accepted how many rows, counted from the first, the broker has accepted
 * @param outcome why no more: {@link Outcome#ACCEPTED} if all were, or if the shipment was not to go on, as {@link
 *     Publisher.Shipment#mayContinue} has said;
 *     {@link Outcome#MESSAGE_REFUSED} if the row after the accepted ones is refused, and it alone; of the others nothing is
 *     known
 * @param failure what was thrown; null only if nothing went wrong. A failure without it is told with the words "The
 *     publisher gave no reason". The reason of a hold is its type, or the word of a {@link PublishException}
 */
public record PublishResult(
        int accepted, Outcome outcome, @Nullable Throwable failure) {
    /** Nothing was sent, for the destination is left alone. */
    public static PublishResult notSent() {
        return new PublishResult(0, Outcome.NOT_SENT, null);
    }

    /** The broker has accepted the first {@code count} rows and nothing went wrong; fewer than all if the shipment was not to go on. */
    public static PublishResult accepted(int count) {
        return new PublishResult(count, Outcome.ACCEPTED, null);
    }

    /** Nothing is known about the rows after the first {@code accepted}, and none of them is to blame. */
    public static PublishResult failed(int accepted, Throwable failure) {
        return new PublishResult(accepted, Outcome.UNAVAILABLE, failure);
    }

    /** The row after the first {@code accepted} is refused. */
    public static PublishResult refused(int accepted, Throwable failure) {
        return new PublishResult(accepted, Outcome.MESSAGE_REFUSED, failure);
    }
}
