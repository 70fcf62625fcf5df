package dev.waybill.relay;

import java.util.List;

/**
 * How heavy rows have been of late. Rows are alike for long, so this tells whether the next ones are likely to have no more than
 * a share each. Not thread-safe.
 */
final class RecentWeights {
    /** As long as this, rows are expected to be as heavy again as one of them was. */
    private static final int PAGES = 16;

    private long heaviest;
    private long heaviestOfThese;
    private int pages;

    /** Whether all are expected to have at most so many bytes. */
    boolean areWithin(long bytes) {
        return heaviest <= bytes;
    }

    /** One of the next rows has more bytes than that. */
    void areBeyond(long bytes) {
        count(bytes + 1);
    }

    /** Learns from a page that has rows of any weight. */
    void saw(Page page) {
        for (List<OutboxRow> rows : page.fresh().values()) {
            for (OutboxRow row : rows) {
                count(row.weight());
            }
        }
        if (++pages == PAGES) {
            heaviest = heaviestOfThese;
            heaviestOfThese = 0;
            pages = 0;
        }
    }

    private void count(long bytes) {
        heaviest = Math.max(heaviest, bytes);
        heaviestOfThese = Math.max(heaviestOfThese, bytes);
    }
}
