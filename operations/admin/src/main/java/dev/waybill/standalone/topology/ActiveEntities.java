package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.topology.Difference.Kind;
import dev.waybill.standalone.topology.Difference.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import javax.sql.DataSource;

/** The entities to which destinations send now, which may differ from the configured ones after a migration. */
public record ActiveEntities(Configuration configuration, List<Difference> differences) {
    public ActiveEntities {
        differences = List.copyOf(differences);
    }

    /** Reads the outboxes; {@code unread} receives unreachable databases, whose destinations keep the configured entity. */
    public static ActiveEntities of(
            Configuration configured,
            Function<DatabaseSettings, DataSource> pools,
            BiConsumer<DatabaseSettings, RuntimeException> unread) {
        var moved = new LinkedHashMap<String, Map<String, String>>();
        var differences = new ArrayList<Difference>();
        for (DatabaseSettings database : configured.databases()) {
            try {
                DestinationMove.all(pools.apply(database), database.schema()).stream()
                        .filter(state -> database.destinations().contains(state.destination()))
                        .forEach(state -> add(configured, database, state, moved, differences));
            } catch (RuntimeException e) {
                unread.accept(database, e);
            }
        }
        Configuration inForce = configured.with(moved);
        for (DatabaseSettings database : configured.databases()) {
            moved.getOrDefault(database.name(), Map.of())
                    .forEach((destination, entity) -> divided(inForce, database, destination, differences));
        }
        return new ActiveEntities(inForce, differences);
    }

    // One outbox was aborted while another one switched; an operator has to resolve this.
    private static void divided(
            Configuration inForce, DatabaseSettings moved, String destination, List<Difference> differences) {
        DestinationSettings there = place(inForce, moved, destination).orElseThrow();
        NamespaceSettings namespace = inForce.namespace(moved, there);
        inForce.databases()
                .forEach(other -> place(inForce, other, destination)
                        .filter(here -> inForce.namespace(other, here).equals(namespace))
                        .map(here -> here.place().entity())
                        .filter(path -> !Move.isSame(path, there.place().entity()))
                        .ifPresent(path -> differences.add(new Difference(
                                namespace.name(),
                                path,
                                new Setting(
                                        "destination." + destination + " of " + other,
                                        there.place().entity(),
                                        path),
                                Kind.UNDECLARED,
                                List.of(command(destination) + "   # some outboxes have moved, and others not")))));
    }

    private static Optional<DestinationSettings> place(
            Configuration inForce, DatabaseSettings database, String destination) {
        return inForce.destinations(database).stream()
                .filter(known -> known.name().equals(destination))
                .findFirst();
    }

    private static void add(
            Configuration configured,
            DatabaseSettings database,
            DestinationMove.State state,
            Map<String, Map<String, String>> moved,
            List<Difference> differences) {
        DestinationSettings declared = configured.destinations(database).stream()
                .filter(destination -> destination.name().equals(state.destination()))
                .findFirst()
                .orElseThrow();
        String namespace = configured.namespace(database, declared).name();
        String path = declared.place().entity();
        state.entity().ifPresent(entity -> {
            moved.computeIfAbsent(database.name(), name -> new LinkedHashMap<>())
                    .put(state.destination(), entity);
            if (!Move.isSame(entity, path)) {
                differences.add(new Difference(
                        namespace,
                        entity,
                        new Setting("destination." + state.destination() + ".entity", path, entity),
                        Kind.UNDECLARED,
                        List.of("set destination." + state.destination() + ".entity to " + entity
                                + ": it is in force since a migration")));
            }
        });
        state.move()
                .ifPresent(move -> differences.add(new Difference(
                        namespace,
                        move.from(),
                        new Setting(
                                "migration to " + move.to(),
                                "ended",
                                move.withheld() ? "under way" : "begun and not ended"),
                        Kind.UNDECLARED,
                        List.of(command(state.destination()) + "   # goes on with it; or --abort"))));
    }

    /** The differences of a namespace. */
    public List<Difference> differences(NamespaceSettings namespace) {
        return differences.stream()
                .filter(difference -> difference.namespace().equals(namespace.name()))
                .toList();
    }

    static String command(String destination) {
        return "waybill-relay topology migrate " + destination + " --reason TEXT";
    }
}
