package dev.waybill.relay;

import dev.waybill.relay.LaneTable.Claim;
import dev.waybill.relay.LaneTable.Owner;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which buckets a destination's loop has taken, from whom and why, which it has given back, and which others have now: a
 * line for each relay and each change, and not for each bucket. Confined to the loop's thread.
 */
final class LaneNews {
    private static final Logger LOG = LoggerFactory.getLogger(OwnedLanes.class);

    private final String destination;
    private final Set<Short> known = new HashSet<>();

    LaneNews(String destination) {
        this.destination = destination;
    }

    /** Buckets were claimed. */
    void taken(List<Claim> claims) {
        var sources = new TreeMap<String, Integer>();
        claims.forEach(claim -> sources.merge(source(claim), 1, Integer::sum));
        sources.forEach((source, count) -> LOG.info("'{}': took {} buckets {}", destination, count, source));
        claims.forEach(claim -> known.add(claim.bucket()));
    }

    private static String source(Claim claim) {
        Owner from = claim.from();
        if (from.isNobody()) {
            return "that nobody had";
        }
        if (from.name().isEmpty()) {
            return "over from a relay that has signed off";
        }
        return claim.orphaned()
                ? "over from relay '" + from.name() + "', whose lease ran out " + seconds(from.millisPast()) + " s ago"
                : "over from relay '" + from.name() + "', which is alive and does not serve the destination";
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f", millis / 1000.0);
    }

    /** Buckets were given back. */
    void givenBack(Collection<LaneState> lanes) {
        lanes.forEach(state -> known.remove(state.lane().bucket()));
        LOG.info("'{}': gave back {} buckets, for other relays to take", destination, lanes.size());
    }

    /** Which of the buckets that this relay had are not its own any more; to be told once. */
    List<Short> missing(Set<Short> mine) {
        known.addAll(mine);
        List<Short> lost =
                known.stream().filter(bucket -> !mine.contains(bucket)).toList();
        known.retainAll(mine);
        return lost;
    }

    /** @param owners how many of them each other relay has now */
    void lost(List<Short> buckets, Map<String, Integer> owners) {
        String now = owners.isEmpty()
                ? "nobody has them yet"
                : owners.entrySet().stream()
                        .map(owner -> "relay '" + owner.getKey() + "' has " + owner.getValue())
                        .collect(Collectors.joining(", "));
        LOG.warn(
                "'{}': {} buckets are not this relay's any more: {}, and goes on from the last settled row",
                destination,
                buckets.size(),
                now);
    }
}
