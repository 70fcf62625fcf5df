package dev.waybill.relay;

import dev.waybill.message.WireContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs the statements of taking lanes over and of reading once, and takes and changes nothing. In a process that has just
 * started they take some hundred milliseconds the first time, which the first messages would have to wait for. The settle is not
 * among them: whoever locks the table of progress would keep the relay out.
 */
final class WarmUp {
    /** As many for a row as it has in most pages, so that the same form of the statement is planned. */
    private static final long FEW_BYTES = 20 << 10;

    private WarmUp() {}

    /** @throws HistoryChangedException if the recorded cursors do not fit this database */
    static void run(RelayTables tables, String destination) {
        var unused = tables.history().requireOwn();
        List<Lane> lanes = IntStream.range(0, WireContract.BUCKETS)
                .mapToObj(bucket -> new Lane(destination, (short) bucket))
                .toList();
        var cursors = new HashMap<Lane, Cursor>(tables.progress()
                .load(destination, lanes.stream().map(Lane::bucket).toList()));
        var unrecorded = new ArrayList<>(lanes);
        unrecorded.removeAll(cursors.keySet());
        cursors.putAll(tables.reader().start(unrecorded));
        tables.suspicions().load(destination, cursors);
        var one = new PageLimit(1, FEW_BYTES, false);
        tables.reader().read(cursors, one);
        tables.reader().readHead(cursors, one);
        tables.lanes().claim(0);
    }
}
