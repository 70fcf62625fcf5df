package dev.waybill.relay;

import java.util.Collection;
import java.util.Map;

/** Finds what is committed and not yet published. One implementation reads the table; logical decoding could be another. */
interface OutboxReader {
    /** Where lanes begin of which nothing is recorded: before their first row. */
    Map<Lane, Cursor> start(Collection<Lane> lanes);

    /**
     * Reads the next rows of lanes of one destination whose cursors share a snapshot.
     *
     * @param limit most fresh rows per lane; most late rows of all lanes together, times the number of lanes
     */
    Page read(Map<Lane, Cursor> cursors, int limit);

    /**
     * The late arrivals that did not fit into {@code page}: the next ones after {@code afterSeq}, seen with its snapshot.
     */
    Page readMoreLate(Map<Lane, Cursor> cursors, Page page, long afterSeq, int limit);
}
