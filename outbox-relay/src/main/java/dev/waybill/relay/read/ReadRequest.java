package dev.waybill.relay.read;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * What a read asks for.
 *
 * @param relay who asks
 * @param inMemory sequence values of rows that are not to be read again
 * @param maxBytes most bytes of each destination's rows, but at least one row
 */
public record ReadRequest(UUID relay, List<Asked> asked, Collection<Long> inMemory, long maxBytes) {
    /**
     * One destination.
     *
     * @param floor rows above this value are read
     * @param rows most rows
     * @param fullLanes bit n: rows of lane n are left out
     */
    public record Asked(String destination, long floor, int rows, int fullLanes) {}
}
