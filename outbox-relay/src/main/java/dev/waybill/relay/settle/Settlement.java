package dev.waybill.relay.settle;

import dev.waybill.relay.send.RowKey;
import java.util.List;

/** Rows of a destination that the broker has accepted, sent under this epoch. */
public record Settlement(String destination, long epoch, List<RowKey> accepted) {}
