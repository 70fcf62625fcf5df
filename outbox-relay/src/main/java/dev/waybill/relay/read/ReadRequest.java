package dev.waybill.relay.read;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * @param inMemory sequence values to exclude
 * @param maxBytes most bytes for each destination, but at least one row
 */
public record ReadRequest(UUID relay, List<Asked> asked, Collection<Long> inMemory, long maxBytes) {
    /**
     * @param floor rows above this value are read
     * @param rows most rows
     * @param fullLanes bit n excludes lane n
     */
    public record Asked(String destination, long floor, int rows, int fullLanes) {}
}
