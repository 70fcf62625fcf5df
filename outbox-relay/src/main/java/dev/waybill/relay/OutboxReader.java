package dev.waybill.relay;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is committed and not yet published. One implementation reads the table; logical decoding could be another. Each
 * call throws a {@link ServerChangedException} where the cursors cannot belong to the server that answers.
 */
interface OutboxReader {
    /** Where lanes begin of which nothing is recorded: before their first row. */
    Map<Lane, Cursor> start(Collection<Lane> lanes);

    /** Reads the next rows of lanes of one destination. Late rows are judged by each lane's own snapshot. */
    Page read(Map<Lane, Cursor> cursors, PageLimit limit);

    /**
     * The late arrivals that did not fit into a page: the next ones behind where it was cut, seen with its snapshot. If the
     * destination is paused by now, a paused page that tells nothing of them.
     *
     * @param cursors as they were for that page
     */
    Page readMoreLate(Map<Lane, Cursor> cursors, Page cut, PageLimit limit);

    /**
     * Reads lanes that had nothing left: what they have not seen, from the one partition that it must be in. A fraction of
     * the price of {@link #read}.
     *
     * @return null if it cannot be known to be in one partition, or is more than fits; read in full then
     */
    @Nullable Page readHead(Map<Lane, Cursor> cursors, PageLimit limit);

    /** Learns of a cursor that is recorded. */
    void recorded(Cursor cursor);

    /** Looks whether there may be anything to read. */
    Peek peek();
}
