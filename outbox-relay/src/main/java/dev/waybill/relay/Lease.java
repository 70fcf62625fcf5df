package dev.waybill.relay;

/**
 * This relay's right to a bucket.
 *
 * @param epoch fencing token: no other owner ever has the same
 * @param validUntilNanos {@link System#nanoTime()} up to which the database surely still grants it
 * @param orphaned whether the owner before let its lease run out instead of giving it back
 */
record Lease(short bucket, long epoch, long validUntilNanos, boolean orphaned) {
    boolean hasTimeLeft(long nowNanos) {
        return validUntilNanos - nowNanos > 0;
    }
}
