package dev.waybill.relay.send;

import dev.waybill.relay.OutboxRow;
import java.util.List;

/**
 * Rows of one lane that go out together, in order.
 *
 * @param lane which of the destination's
 */
public record Batch(String destination, int lane, List<OutboxRow> rows) {}
