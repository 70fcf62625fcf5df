package dev.waybill.relay;

/** The sequence values that share a partition of the message table until the ring comes round. */
final class Block {
    /** Values in a block, as a power of two; the migration's own number. */
    static final int SHIFT = 17;

    /** Partitions in the ring. */
    static final int SLOTS = 8;

    private static final int SHALLOW = 10;

    private Block() {}

    /** The partition of the block that a lane enters after a position. */
    static int slotAfter(long position) {
        return (int) ((position + 1) >> SHIFT) & (SLOTS - 1);
    }

    /** How far a position is into its block, as a power of two; all of the first 1,024 values count alike. */
    static int depthAfter(long position) {
        int within = (int) ((position + 1) & ((1 << SHIFT) - 1));
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(within, 1 << SHALLOW)) - 1;
    }

    /** The last value of the block that a lane enters after a position. */
    static long endAfter(long position) {
        long block = (position + 1) >> SHIFT;
        return ((block + 1) << SHIFT) - 1;
    }
}
