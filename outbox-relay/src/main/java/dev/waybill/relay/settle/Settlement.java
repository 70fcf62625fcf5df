package dev.waybill.relay.settle;

import dev.waybill.relay.send.RowKey;
import java.util.List;

/**
 * Rows of one destination that the broker has accepted.
 *
 * @param epoch of the owner who has sent them
 */
public record Settlement(String destination, long epoch, List<RowKey> accepted) {}
