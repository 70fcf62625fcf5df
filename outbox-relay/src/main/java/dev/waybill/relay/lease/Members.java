package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jooq.Record;

/**
 * Who is alive, and who owns what: one moment of the database.
 *
 * @param relays those that are alive
 * @param destinations those that were asked for and have a row, by name
 */
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

    /**
     * A relay that is alive.
     *
     * @param serving what it would publish to
     * @param owned how many destinations it owns and serves, of all that there are
     */
    public record Relay(UUID id, Set<String> serving, boolean follows, int owned) {}

    /**
     * A destination.
     *
     * @param owner that is named in its row, alive or not
     * @param freeFor how long it could have been claimed; not positive: it cannot
     * @param moves whether a move to another entity is under way: nobody may own it
     * @param entity the one in force; empty: what the relays' configuration says
     */
    public record Destination(
            String name, Optional<UUID> owner, Duration freeFor, boolean moves, Optional<String> entity) {}
}
