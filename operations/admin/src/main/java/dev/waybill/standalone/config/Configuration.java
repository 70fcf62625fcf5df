package dev.waybill.standalone.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The checked configuration of the process. Immutable. */
public final class Configuration {
    private final Settings settings;
    private final ProcessSettings process;
    private final RelaySettings relay;
    private final List<NamespaceSettings> namespaces;
    private final List<DestinationSettings> destinations;
    private final List<DatabaseSettings> databases;
    private final List<ConsumerSettings> consumers;
    private final ConsoleSettings console;
    private final Map<String, Map<String, String>> moved;

    private Configuration(Settings settings, List<String> problems) {
        this.settings = settings;
        var reading = new Reading(settings, problems);
        process = reading.process();
        relay = reading.relay();
        namespaces = reading.namespaces();
        destinations = reading.destinations();
        databases = reading.databases();
        consumers = reading.consumers();
        console = new ConsoleReading(settings, problems).read(databases);
        moved = Map.of();
    }

    private Configuration(Configuration from, Map<String, Map<String, String>> moved) {
        settings = from.settings;
        process = from.process;
        relay = from.relay;
        namespaces = from.namespaces;
        destinations = from.destinations;
        databases = from.databases;
        consumers = from.consumers;
        console = from.console;
        this.moved = Map.copyOf(moved);
    }

    /** Replaces entities that a migration has moved; the outer key is a database, the inner one a destination. */
    public Configuration with(Map<String, Map<String, String>> entities) {
        return new Configuration(this, entities);
    }

    /**
     * Reads and checks the configuration.
     *
     * @throws ConfigException naming every problem with its origin
     */
    public static Configuration of(Sources sources) {
        var problems = new ArrayList<String>();
        Settings settings = Settings.of(sources, problems);
        refuse(problems);
        var configuration = new Configuration(settings, problems);
        refuse(problems);
        new Checks(settings, problems).requireDistinct(configuration);
        refuse(problems);
        return configuration;
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    public ProcessSettings process() {
        return process;
    }

    public RelaySettings relay() {
        return relay;
    }

    public List<DatabaseSettings> databases() {
        return databases;
    }

    /**
     * Finds one database.
     *
     * @param name may be empty if there is only one
     * @throws ConfigException if the database does not exist, or if the name is needed
     */
    public DatabaseSettings database(Optional<String> name) {
        List<String> names = databases.stream().map(DatabaseSettings::name).toList();
        if (name.isEmpty() && databases.size() != 1) {
            throw new ConfigException(
                    databases.isEmpty()
                            ? "No database is configured. " + NextStep.database()
                            : "Which database? Give --database with one of " + String.join(", ", names));
        }
        return databases.stream()
                .filter(database -> name.isEmpty() || database.name().equals(name.get()))
                .findFirst()
                .orElseThrow(() -> new ConfigException(
                        "There is no database '" + name.orElse("") + "'" + Suggestion.among(names, name.orElse(""))));
    }

    public List<NamespaceSettings> namespaces() {
        return namespaces;
    }

    public NamespaceSettings namespace(String name) {
        return namespaces.stream()
                .filter(namespace -> namespace.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("There is no namespace '" + name + "'"
                        + Suggestion.among(
                                namespaces.stream().map(NamespaceSettings::name).toList(), name)));
    }

    public List<DestinationSettings> destinations() {
        return destinations.stream()
                .flatMap(destination -> places(destination, database -> true))
                .toList();
    }

    public List<DestinationSettings> destinations(DatabaseSettings database) {
        return destinations.stream()
                .filter(destination -> database.destinations().contains(destination.name()))
                .map(destination -> place(database, destination))
                .toList();
    }

    private DestinationSettings place(DatabaseSettings database, DestinationSettings destination) {
        String entity = moved.getOrDefault(database.name(), Map.of()).get(destination.name());
        return entity == null ? destination : destination.at(entity);
    }

    private Stream<DestinationSettings> places(
            DestinationSettings destination, Predicate<DatabaseSettings> databasesThat) {
        List<DestinationSettings> places = databases.stream()
                .filter(database -> database.destinations().contains(destination.name()))
                .filter(databasesThat)
                .map(database -> place(database, destination))
                .distinct()
                .toList();
        return places.isEmpty() ? Stream.of(destination) : places.stream();
    }

    public NamespaceSettings namespace(DatabaseSettings database, DestinationSettings destination) {
        return namespace(destination.place().namespace().orElse(database.namespace()));
    }

    public List<DestinationSettings> destinations(NamespaceSettings namespace) {
        return destinations.stream()
                .filter(destination -> isIn(destination, namespace))
                .flatMap(destination -> places(
                        destination,
                        database -> namespace(database, destination).equals(namespace)))
                .toList();
    }

    private boolean isIn(DestinationSettings destination, NamespaceSettings namespace) {
        if (destination.place().namespace().isPresent() || databases.isEmpty()) {
            return destination.place().namespace().map(namespace.name()::equals).orElse(namespaces.size() == 1);
        }
        return databases.stream()
                .anyMatch(database -> database.namespace().equals(namespace.name())
                        && database.destinations().contains(destination.name()));
    }

    public List<ConsumerSettings> consumers() {
        return consumers;
    }

    public ConsoleSettings console() {
        return console;
    }

    /** Environment variables that look like options but come from Kubernetes services. */
    public List<String> ignoredVariables() {
        return settings.ignored();
    }

    /** Environment variables that the Spring starter reads, and this program does not. */
    public List<String> variablesOfSpring() {
        return settings.ofSpring();
    }

    /** Every option with its value and its origin, without secrets. */
    public List<Setting> print() {
        return settings.print();
    }
}
