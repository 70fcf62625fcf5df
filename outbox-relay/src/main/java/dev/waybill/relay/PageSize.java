package dev.waybill.relay;

/**
 * How many rows of each lane the next page takes: as many as were asked for, as long as what they carry fits into memory.
 * Starts small, because nothing is known of the first page, and follows what the last one weighed. Not thread-safe.
 */
final class PageSize {
    /** Bytes of messages that a page is to carry; three pages are in memory. */
    static final long BUDGET = 32L << 20;

    private static final int FIRST = 10;

    private final int most;
    private int rows;

    PageSize(int most) {
        this.most = most;
        this.rows = Math.min(most, FIRST);
    }

    int rows() {
        return rows;
    }

    /** Learns from a page that was read with {@link #rows()}. */
    void weighed(long bytes) {
        if (bytes > BUDGET) {
            rows = (int) Math.max(1, rows * BUDGET / bytes);
        } else if (bytes <= BUDGET / 2) {
            rows = Math.min(most, rows * 2);
        }
    }
}
