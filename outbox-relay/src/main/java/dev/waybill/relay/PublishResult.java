package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * What became of a shipment.
 *
 * @param accepted how many rows, counted from the first, the broker has accepted
 * @param failure why the rest was not, or null if all were or the lease had no time left
 */
public record PublishResult(int accepted, @Nullable Throwable failure) {
    /** The broker has accepted the first {@code count} rows and nothing went wrong. */
    public static PublishResult accepted(int count) {
        return new PublishResult(count, null);
    }

    /** Nothing is known about the rows after the first {@code accepted}. */
    public static PublishResult failed(int accepted, Throwable failure) {
        return new PublishResult(accepted, failure);
    }
}
