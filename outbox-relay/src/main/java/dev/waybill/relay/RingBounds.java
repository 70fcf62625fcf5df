package dev.waybill.relay;

import java.util.TreeMap;

/**
 * From which transaction on all values are drawn in a block or behind it. Each recorded cursor tells one: its bound is a
 * transaction id that was given out after its position was drawn, so whatever has that id or a later one draws above the
 * position. Not thread-safe.
 */
final class RingBounds {
    private static final int KEPT = RingLayout.SLOTS;

    private final TreeMap<Long, Long> bounds = new TreeMap<>();

    void learn(Cursor cursor) {
        if (cursor.nextXid() != Cursor.UNBOUNDED) {
            bounds.merge(RingLayout.of(cursor.position()), cursor.nextXid(), Math::min);
            while (bounds.size() > KEPT) {
                bounds.pollFirstEntry();
            }
        }
    }

    /** Whether no transaction that began at {@code xmin} or later can have drawn a value before the block. */
    boolean allUnseenIsIn(long block, long xmin) {
        if (block == 0) {
            return true;
        }
        Long bound = bounds.get(block);
        return bound != null && xmin >= bound;
    }
}
