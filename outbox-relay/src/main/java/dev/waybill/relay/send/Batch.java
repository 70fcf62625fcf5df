package dev.waybill.relay.send;

import dev.waybill.relay.OutboxRow;
import java.util.List;

/** Consecutive rows of one lane that are sent together. */
public record Batch(int lane, List<OutboxRow> rows) {}
