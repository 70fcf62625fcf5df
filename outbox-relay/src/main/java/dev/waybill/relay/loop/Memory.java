package dev.waybill.relay.loop;

import dev.waybill.relay.send.DestinationLanes;

/** How much a process keeps in memory, with a fair part for each destination that it owns. */
record Memory(int rows, long bytes) {
    /** For one process. */
    static final Memory OF_PROCESS = new Memory(20_000, 64L << 20);

    private static final int MOST_ROWS = 5_000;
    private static final int LEAST_ROWS = 200;
    private static final long LEAST_BYTES = 1L << 20;
    private static final int READ_ROWS = 2_000;

    /** The part of one of so many destinations. */
    Memory part(int destinations) {
        int parts = Math.max(1, destinations);
        return new Memory(
                Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows / parts)), Math.max(LEAST_BYTES, bytes / parts));
    }

    /** How many rows a read may bring for a destination; 0 if it has no room. */
    int room(DestinationLanes lanes) {
        int left = rows - lanes.rows();
        boolean full = left < Math.min(rows / 4, READ_ROWS) || lanes.bytes() > bytes / 2;
        return full ? 0 : Math.min(READ_ROWS, left);
    }
}
