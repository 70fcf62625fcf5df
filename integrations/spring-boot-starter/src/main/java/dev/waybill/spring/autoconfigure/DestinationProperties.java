package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.Destination;
import dev.waybill.relay.HoldPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * A queue or topic that messages are appended for.
 *
 * @param sessions whether every message needs a session
 * @param maximumSize the largest message that it takes, properties included
 * @param claimsAbove the largest body that goes with its message; larger ones go to the claim store
 * @param refused what becomes of a session when the broker refuses one of its messages
 * @param retain how long published messages stay for replays and trace, up to 14 days; 0s for not at all. Needs the feature
 *     retention
 */
public record DestinationProperties(
        @DefaultValue("false") boolean sessions,
        @DefaultValue("256KB") DataSize maximumSize,
        @Nullable DataSize claimsAbove,
        @DefaultValue("hold-session") HoldPolicy refused,
        @DefaultValue("0s") Duration retain) {
    /** Boot reads a bare number as milliseconds. */
    static final String UNIT = "; a number without a unit is milliseconds";

    /** Refuses a retention that no relay takes. */
    public DestinationProperties {
        Requirement.that(
                retain.isZero()
                        || (retain.compareTo(Duration.ofHours(1)) >= 0 && retain.compareTo(Duration.ofDays(14)) <= 0),
                "waybill.destinations.<name>.retain is 0s, or 1h to 14d, not " + retain + UNIT);
    }

    boolean retains() {
        return !retain.isZero();
    }

    Destination toDestination(String name) {
        Destination plain = Destination.of(name).withMaximumBytes(bytes(name, "maximum-size", maximumSize));
        Destination sized =
                claimsAbove == null ? plain : plain.withClaimsAbove(bytes(name, "claims-above", claimsAbove));
        return sessions ? sized.withSessions() : sized;
    }

    private static int bytes(String name, String property, DataSize size) {
        if (size.toBytes() < 0 || size.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("waybill.destinations." + name + "." + property + " is " + size
                    + "; at most 2 GB fit into a message");
        }
        return (int) size.toBytes();
    }
}
