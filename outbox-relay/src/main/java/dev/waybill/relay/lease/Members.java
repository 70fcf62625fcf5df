package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jooq.Record;

/** Relays that are alive, and destinations with their owners, in one snapshot. */
public record Members(List<Relay> relays, List<Destination> destinations) {
    static Members of(List<Record> rows) {
        Predicate<Record> ofRelay = row -> row.get("destination") == null;
        return new Members(
                rows.stream().filter(ofRelay).map(Members::relay).toList(),
                rows.stream().filter(ofRelay.negate()).map(Members::destination).toList());
    }

    private static Relay relay(Record row) {
        return new Relay(
                row.get("relay", UUID.class),
                Set.of(row.get("serving", String[].class)),
                row.get("follows", Boolean.class),
                row.get("owned", Integer.class));
    }

    private static Destination destination(Record row) {
        return new Destination(
                row.get("destination", String.class),
                Optional.ofNullable(row.get("relay", UUID.class)),
                Duration.ofMillis(row.get("free_millis", Long.class)),
                row.get("moves", Boolean.class),
                Optional.ofNullable(row.get("entity", String.class)));
    }

    /** A living relay, the destinations that it would publish to, and how many destinations it owns and serves. */
    public record Relay(UUID id, Set<String> serving, boolean follows, int owned) {}

    /**
     * A destination. Its owner may be dead; {@code freeFor} is not positive if it is not free; {@code moves} means a migration.
     */
    public record Destination(
            String name, Optional<UUID> owner, Duration freeFor, boolean moves, Optional<String> entity) {}
}
