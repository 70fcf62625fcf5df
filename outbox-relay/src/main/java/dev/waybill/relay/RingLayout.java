package dev.waybill.relay;

/** The sequence values that share a partition of the message table until the ring comes round. */
final class RingLayout {
    /** Values in a block, as a power of two; the migration's own number. */
    static final int SHIFT = 17;

    /** Partitions in the ring. */
    static final int SLOTS = 8;

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

    /** The last value of the block that a lane enters after a position. */
    static long endAfter(long position) {
        return ((after(position) + 1) << SHIFT) - 1;
    }
}
