package dev.waybill.relay.read;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** A request; it excludes the values in memory and limits the bytes for each destination, but not below one row. */
public record ReadRequest(UUID relay, List<Asked> asked, Collection<Long> inMemory, long maxBytes) {
    /** A destination: reads at most {@code rows} rows above the floor; bit n excludes lane n. */
    public record Asked(String destination, long floor, int rows, int fullLanes) {}
}
