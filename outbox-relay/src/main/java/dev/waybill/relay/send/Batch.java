package dev.waybill.relay.send;

import dev.waybill.relay.OutboxRow;
import java.util.List;

/**
 * Rows of one lane that go out together, in order.
 *
 * @param lane which of its destination's
 */
public record Batch(int lane, List<OutboxRow> rows) {}
