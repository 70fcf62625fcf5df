package dev.waybill.relay.read;

import dev.waybill.relay.OutboxRow;
import java.util.List;
import java.util.Map;

/**
 * What a read found.
 *
 * @param rows in the order of their values, by destination; no entry where there are none
 */
public record ReadResult(ReadHeader header, Map<String, Rows> rows) {
    /**
     * The rows of one destination.
     *
     * @param cut whether there may be more above the last one
     */
    public record Rows(List<ReadRow> rows, boolean cut) {
        /** The value of the last row. */
        public long last() {
            return rows.get(rows.size() - 1).row().seq();
        }
    }

    /** A row and its lane. */
    public record ReadRow(int lane, OutboxRow row) {}
}
