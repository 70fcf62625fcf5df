package dev.waybill.relay;

/** The sequence values that share a partition of the message table until the ring comes round. */
final class RingLayout {
    /** Values in a block, as a power of two; the migration's own number. */
    static final int SHIFT = 17;

    /** Partitions in the ring. */
    static final int SLOTS = 8;

    /** Rows that a planner does not read as a whole for a few of them. */
    private static final int WELL_INSIDE = 4096;

    private RingLayout() {}

    /** The block that a lane enters after a position. */
    static long after(long position) {
        return (position + 1) >> SHIFT;
    }

    /** The block of a sequence value. */
    static long of(long seq) {
        return seq >> SHIFT;
    }

    /** The partition of a block. */
    static int slot(long block) {
        return (int) (block & (SLOTS - 1));
    }

    /** The partition of the block that a lane enters after a position. */
    static int slotAfter(long position) {
        return slot(after(position));
    }

    /** Whether so many values were drawn before the one behind a position that a plan for its partition is right when it is full. */
    static boolean isWellInside(long position) {
        return position + 1 - (after(position) << SHIFT) >= WELL_INSIDE;
    }

    /** The last value of the block that a lane enters after a position. */
    static long endAfter(long position) {
        return after(position) << SHIFT | (1 << SHIFT) - 1;
    }
}
