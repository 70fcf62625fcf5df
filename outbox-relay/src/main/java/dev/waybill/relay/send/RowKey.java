package dev.waybill.relay.send;

import dev.waybill.relay.OutboxRow;

/**
 * Names a row of a destination. Not by its value alone: after a failover that a pooler hides, another row may have the value.
 *
 * @param bytes its weight in memory
 */
public record RowKey(long seq, String messageId, long bytes) {
    static RowKey of(OutboxRow row) {
        return new RowKey(row.seq(), row.messageId(), row.weight());
    }
}
