package dev.waybill.relay.loop;

import dev.waybill.relay.send.DestinationLanes;

/** The memory limit of a process, and each owned destination's share. */
record Memory(int rows, long bytes) {
    static final Memory OF_PROCESS = new Memory(20_000, 64L << 20);

    private static final int MOST_ROWS = 5_000;
    private static final int LEAST_ROWS = 200;
    private static final long LEAST_BYTES = 1L << 20;
    private static final int READ_ROWS = 2_000;

    Memory part(int destinations) {
        int parts = Math.max(1, destinations);
        return new Memory(
                Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows / parts)), Math.max(LEAST_BYTES, bytes / parts));
    }

    /** How many rows a read may return; 0 if memory is full. */
    int room(DestinationLanes lanes) {
        int left = rows - lanes.rows();
        boolean full = left < Math.min(rows / 4, READ_ROWS) || lanes.bytes() > bytes / 2;
        return full ? 0 : Math.min(READ_ROWS, left);
    }
}
