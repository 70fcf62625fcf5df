package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A move of a queue or topic to the path of {@code target}, with all outboxes that send to it. */
public record Move(NamespaceSettings namespace, DestinationSettings target, String from, List<Side> sides) {
    public Move {
        sides = List.copyOf(sides);
    }

    public String to() {
        return target.place().entity();
    }

    /** The declaration under the old path. */
    DestinationSettings source() {
        return target.at(from);
    }

    /** The outboxes that still send to the old path. */
    public List<Side> left() {
        return sides.stream().filter(side -> !side.isAt(to())).toList();
    }

    public boolean isDone() {
        return left().isEmpty();
    }

    public boolean isHalfDone() {
        return !isDone() && left().size() < sides.size();
    }

    /** An outbox that sends to the entity under the name {@code destination}. */
    public record Side(
            DatabaseSettings database,
            String destination,
            DestinationMove moves,
            Optional<DestinationMove.State> state) {
        private boolean isAt(String path) {
            return state.flatMap(DestinationMove.State::entity)
                    .filter(entity -> isSame(entity, path))
                    .isPresent();
        }

        /** Whether a move is in progress. */
        public boolean isMoving() {
            return state.flatMap(DestinationMove.State::move).isPresent();
        }

        @Override
        public String toString() {
            return "destination '" + destination + "' of " + database;
        }
    }

    static boolean isSame(String one, String other) {
        return Declaration.key(one).equals(Declaration.key(other));
    }

    /** Finds the move of a destination. */
    public static final class Search {
        private final Configuration configuration;
        private final Function<DatabaseSettings, DataSource> pools;

        public Search(Configuration configuration, Function<DatabaseSettings, DataSource> pools) {
            this.configuration = configuration;
            this.pools = pools;
        }

        /**
         * The move of a destination.
         *
         * @param namespace may be empty if there is only one
         * @param to the requested path
         * @param free finds a path for the new entity, given the old one
         * @throws IllegalArgumentException if the move is impossible
         * @throws NoSuchElementException with a suggestion
         */
        public Move of(
                String destination,
                Optional<String> namespace,
                Optional<String> to,
                Function<DestinationSettings, String> free) {
            DestinationSettings declared = configuration.destinations().stream()
                    .filter(known -> known.name().equals(destination))
                    .findFirst()
                    .orElseThrow(() -> unknown(destination));
            NamespaceSettings place = namespace(declared, namespace);
            List<Side> sides = sides(place);
            List<Side> own = sides.stream()
                    .filter(side -> side.destination.equals(destination))
                    .toList();
            Optional<DestinationMove.Move> begun = begun(sides, own).or(() -> divided(own));
            begun.ifPresent(move -> requireSame(move, to));
            String from = begun.map(DestinationMove.Move::from)
                    .or(() -> inForce(own))
                    .orElse(declared.place().entity());
            String target =
                    begun.map(DestinationMove.Move::to).or(() -> to).orElseGet(() -> free.apply(declared.at(from)));
            return new Move(
                    place,
                    declared.at(target),
                    from,
                    sides.stream().filter(side -> isOf(side, from, target)).toList());
        }

        /** The namespace of a destination. */
        public NamespaceSettings namespace(String destination, Optional<String> namespace) {
            return configuration.destinations().stream()
                    .filter(known -> known.name().equals(destination))
                    .findFirst()
                    .map(declared -> namespace(declared, namespace))
                    .orElseThrow(() -> unknown(destination));
        }

        private NoSuchElementException unknown(String destination) {
            List<String> known = configuration.destinations().stream()
                    .map(DestinationSettings::name)
                    .toList();
            return new NoSuchElementException("There is no destination '" + destination + "' to be migrated"
                    + Suggestion.among(known, destination));
        }

        private NamespaceSettings namespace(DestinationSettings declared, Optional<String> namespace) {
            Set<NamespaceSettings> places = new LinkedHashSet<>();
            serving(declared).forEach(database -> places.add(configuration.namespace(database, declared)));
            List<NamespaceSettings> meant = places.stream()
                    .filter(place -> namespace.isEmpty() || place.name().equals(namespace.get()))
                    .toList();
            if (meant.isEmpty()) {
                throw new IllegalArgumentException("No configured database sends to '" + declared.name() + "'"
                        + namespace
                                .map(name -> " in the namespace '" + name + "'")
                                .orElse("")
                        + ": the outbox is what a migration stops");
            }
            if (meant.size() > 1) {
                throw new IllegalArgumentException(
                        "'" + declared.name() + "' is in several namespaces: give --namespace");
            }
            return meant.get(0);
        }

        private Stream<DatabaseSettings> serving(DestinationSettings declared) {
            return configuration.databases().stream()
                    .filter(database -> database.destinations().contains(declared.name()));
        }

        private List<Side> sides(NamespaceSettings place) {
            var sides = new ArrayList<Side>();
            for (DatabaseSettings database : configuration.databases()) {
                for (DestinationSettings destination : configuration.destinations(database)) {
                    if (configuration.namespace(database, destination).equals(place)) {
                        sides.add(side(database, destination));
                    }
                }
            }
            return sides;
        }

        private Side side(DatabaseSettings database, DestinationSettings destination) {
            DestinationMove moves = DestinationMove.of(pools.apply(database), database.schema(), destination.name());
            return new Side(database, destination.name(), moves, moves.state());
        }

        private static Stream<DestinationMove.Move> underWay(List<Side> sides) {
            return sides.stream().flatMap(side -> side.state.stream()).flatMap(state -> state.move().stream());
        }

        private static Optional<String> inForce(List<Side> sides) {
            return sides.stream()
                    .flatMap(side -> side.state.stream())
                    .flatMap(state -> state.entity().stream())
                    .findFirst();
        }

        // Continues a move that any outbox has not completed.
        private static Optional<DestinationMove.Move> begun(List<Side> sides, List<Side> own) {
            return underWay(own)
                    .findFirst()
                    .or(() -> inForce(own)
                            .flatMap(entity -> underWay(sides)
                                    .filter(move -> isSame(move.to(), entity))
                                    .findFirst()));
        }

        // An outbox was aborted while another one switched, or was configured later.
        private Optional<DestinationMove.Move> divided(List<Side> own) {
            return own.stream()
                    .flatMap(side -> side.state.stream())
                    .filter(state -> !state.former().isEmpty())
                    .flatMap(state -> state.entity().stream()
                            .map(entity -> new DestinationMove.Move(
                                    state.former().get(state.former().size() - 1), entity, false, "", "")))
                    .filter(move -> own.stream().anyMatch(side -> isSame(at(side), move.from())))
                    .findFirst();
        }

        private static void requireSame(DestinationMove.Move begun, Optional<String> asked) {
            if (asked.isPresent() && !isSame(begun.to(), asked.get())) {
                throw new IllegalArgumentException("A migration to '" + begun.to()
                        + "' has begun: run it again without --to, or give it up with --abort before another one");
            }
        }

        private boolean isOf(Side side, String from, String to) {
            if (side.isAt(to)) {
                return true;
            }
            return isSame(at(side), from);
        }

        private String at(Side side) {
            Optional<String> moving =
                    underWay(List.of(side)).map(DestinationMove.Move::from).findFirst();
            return moving.or(() -> side.state.flatMap(DestinationMove.State::entity))
                    .orElseGet(() -> configuration.destinations().stream()
                            .filter(known -> known.name().equals(side.destination))
                            .findFirst()
                            .map(known -> known.place().entity())
                            .orElse(""));
        }
    }
}
