package dev.waybill.relay.read;

import dev.waybill.relay.OutboxRow;
import java.util.List;
import java.util.Map;

/** The header, and rows by destination in the order of their values. */
public record ReadResult(ReadHeader header, Map<String, Rows> rows) {
    /** {@code cut} means that more rows may be pending. */
    public record Rows(List<ReadRow> rows, boolean cut) {
        public long last() {
            return rows.get(rows.size() - 1).row().seq();
        }
    }

    public record ReadRow(int lane, OutboxRow row) {}
}
