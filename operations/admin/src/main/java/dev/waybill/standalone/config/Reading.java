package dev.waybill.standalone.config;

import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.config.NamespaceSettings.Identity;
import dev.waybill.standalone.config.NamespaceSettings.Tier;
import dev.waybill.standalone.config.ProcessSettings.LogFormat;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the settings of the relay process. Not thread-safe. */
final class Reading {
    /** PostgreSQL subtracts it from the current time, and timestamps have a lower bound. */
    private static final int LONGEST_AGE_DAYS = 36_500;

    /** The relay uses four connections, its metrics one. */
    private static final int LEAST_CONNECTIONS = 5;

    /** Probes and the console add connections. */
    private static final int MOST_CONNECTIONS = 8;

    private static final int MOST_PORTS = 65_535;

    private final Settings settings;
    private final Checks checks;
    private final EntityLimits limits;

    Reading(Settings settings, List<String> problems) {
        this.settings = settings;
        this.checks = new Checks(settings, problems);
        this.limits = new EntityLimits(settings, checks);
    }

    ProcessSettings process() {
        checks.atMost(MOST_PORTS, "http.port");
        String instance = settings.optional("instance").orElseGet(Reading::hostAndProcess);
        return new ProcessSettings(
                instance,
                settings.duration("shutdown", "deadline"),
                new ProcessSettings.Http(settings.text("http", "bind"), settings.integer("http", "port")),
                new ProcessSettings.Logs(
                        LogFormat.valueOf(settings.text("log", "format").toUpperCase(Locale.ROOT)),
                        settings.text("log", "level"),
                        settings.optional("log", "level-file").map(Path::of).orElseGet(() -> levelFile(instance))),
                new ProcessSettings.Metrics(
                        checks.atLeastMillis(100, "metrics.interval"), settings.optional("metrics", "otlp-endpoint")),
                new ProcessSettings.Tracing(
                        settings.optional("tracing", "otlp-endpoint"), settings.ratio("tracing", "sample-ratio")));
    }

    private static Path levelFile(String instance) {
        String name = "waybill-" + instance.replaceAll("[^A-Za-z0-9._-]", "_") + ".level";
        return Path.of(System.getProperty("java.io.tmpdir"), name);
    }

    private static String hostAndProcess() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "relay";
        }
        return host + "-" + ProcessHandle.current().pid();
    }

    RelaySettings relay() {
        checks.atLeast(1, "relay.batch-rows");
        checks.atMost(10_000, "relay.batch-rows");
        return new RelaySettings(
                checks.upToOneDay(1_000, "relay.lease-duration"),
                checks.upToOneDay(100, "relay.send-deadline"),
                settings.isOn("relay", "listen"),
                new RelaySettings.Polling(
                        checks.upToOneDay(0, "relay.poll-interval"),
                        checks.upToOneDay(1, "relay.longest-idle"),
                        settings.integer("relay", "batch-rows")),
                checks.upToDays(LONGEST_AGE_DAYS, 0, "relay.claim-retention"));
    }

    List<NamespaceSettings> namespaces() {
        return settings.names("namespace").stream().map(this::namespace).toList();
    }

    private NamespaceSettings namespace(String name) {
        var namespace = new NamespaceSettings(
                name,
                settings.optional("namespace", name, "host"),
                new NamespaceSettings.SignIn(
                        Identity.valueOf(constant(settings.text("namespace", name, "credential"))),
                        settings.optional("namespace", name, "client-id"),
                        settings.secret("namespace", name, "connection-string")),
                Tier.valueOf(constant(settings.text("namespace", name, "tier"))),
                new NamespaceSettings.Administration(
                        settings.isOn("namespace", name, "administration"),
                        settings.optional("namespace", name, "administration-endpoint")),
                new ProxyReading(settings, checks).network(name));
        checks.namespace(namespace);
        return namespace;
    }

    private static String constant(String text) {
        return text.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    List<DestinationSettings> destinations() {
        return settings.names("destination").stream().map(this::destination).toList();
    }

    private DestinationSettings destination(String name) {
        boolean topic = settings.text("destination", name, "type").equals("topic");
        Map<String, Subscription> subscriptions = subscriptions(name);
        if (!topic && !subscriptions.isEmpty()) {
            checks.problem("destination." + name + " has subscriptions, and is not of type topic");
        }
        Optional<String> namespace = settings.optional("destination", name, "namespace");
        namespace.ifPresent(other -> checks.isKnown("destination." + name + ".namespace", other, namespaceNames()));
        var destination = new DestinationSettings(
                name,
                new DestinationSettings.Place(
                        settings.optional("destination", name, "entity").orElse(name), namespace),
                new DestinationSettings.Sending(
                        settings.text("destination", name, "on-refused").equals("hold-session"),
                        settings.text("destination", name, "batches").equals("per-session"),
                        settings.duration("destination", name, "retain")),
                form(name, topic),
                receiving("destination", name),
                subscriptions);
        limits.check(destination);
        return destination;
    }

    private DestinationSettings.Form form(String name, boolean topic) {
        return new DestinationSettings.Form(
                topic,
                settings.isOn("destination", name, "partitioned"),
                settings.isOn("destination", name, "sessions"),
                settings.duration("destination", name, "duplicate-window"),
                settings.bytes("destination", name, "max-message-size"));
    }

    private Map<String, Subscription> subscriptions(String destination) {
        var subscriptions = new LinkedHashMap<String, Subscription>();
        for (String name : settings.names("destination", destination, "subscription")) {
            var rules = new LinkedHashMap<String, String>();
            for (String rule : settings.names("destination", destination, "subscription", name, "rule")) {
                rules.put(rule, settings.text("destination", destination, "subscription", name, "rule", rule));
            }
            subscriptions.put(
                    name,
                    new Subscription(
                            settings.isOn("destination", destination, "subscription", name, "sessions"),
                            receiving("destination", destination, "subscription", name),
                            rules));
        }
        return subscriptions;
    }

    private Receiving receiving(String... of) {
        return new Receiving(
                settings.duration(with(of, "lock-duration")),
                settings.integer(with(of, "max-delivery-count")),
                settings.duration(with(of, "time-to-live")),
                settings.isOn(with(of, "dead-letter-on-expiry")),
                settings.optional(with(of, "forward-to")),
                settings.optional(with(of, "forward-dead-letters-to")));
    }

    private static String[] with(String[] prefix, String last) {
        var key = new ArrayList<>(List.of(prefix));
        key.add(last);
        return key.toArray(String[]::new);
    }

    List<DatabaseSettings> databases() {
        return settings.names("database").stream().map(this::database).toList();
    }

    private DatabaseSettings database(String name) {
        List<String> known = List.copyOf(settings.names("destination"));
        List<String> chosen = settings.list("database", name, "destinations");
        chosen.forEach(destination -> checks.isKnown("database." + name + ".destinations", destination, known));
        List<String> destinations = chosen.isEmpty() ? known : chosen;
        List<String> collect = settings.list("database", name, "collect");
        collect.forEach(entity -> checks.isEntity("database." + name + ".collect", entity, known));
        collect.forEach(entity -> checks.keepsDeadLetters(name, entity, known.contains(entity)));
        int pool = settings.integer("database", name, "pool-size");
        if (pool > 0) {
            checks.atLeast(LEAST_CONNECTIONS, "database." + name + ".pool-size");
        }
        checks.databaseUrl(name);
        return new DatabaseSettings(
                name,
                new DatabaseSettings.Connection(
                        settings.text("database", name, "url"),
                        settings.optional("database", name, "user"),
                        settings.secret("database", name, "password"),
                        pool > 0 ? pool : collect.size() + MOST_CONNECTIONS),
                schema(name),
                namespaceOf(name),
                destinations,
                collect);
    }

    private SchemaName schema(String database) {
        try {
            return new SchemaName(settings.text("database", database, "schema"));
        } catch (IllegalArgumentException e) {
            checks.problem("database." + database + ".schema: " + e.getMessage());
            return SchemaName.DEFAULT;
        }
    }

    private String namespaceOf(String database) {
        Set<String> names = settings.names("namespace");
        Optional<String> given = settings.optional("database", database, "namespace");
        given.ifPresent(name -> checks.isKnown("database." + database + ".namespace", name, namespaceNames()));
        if (given.isEmpty() && names.size() > 1) {
            checks.problem("database." + database + ".namespace is needed, as there are several namespaces");
        }
        return given.orElseGet(() -> names.stream().findFirst().orElse(""));
    }

    private List<String> namespaceNames() {
        return List.copyOf(settings.names("namespace"));
    }

    List<ConsumerSettings> consumers() {
        return settings.names("consumer").stream().map(this::consumer).toList();
    }

    private ConsumerSettings consumer(String name) {
        String entity = settings.text("consumer", name, "entity");
        if (entity.isEmpty()) {
            checks.problem("consumer." + name + ".entity is needed");
        } else if (!settings.names("destination").isEmpty()) {
            checks.isEntity("consumer." + name + ".entity", entity, List.copyOf(settings.names("destination")));
        }
        return new ConsumerSettings(
                name,
                entity,
                settings.text("consumer", name, "receive-mode").equals("receive-and-delete"),
                new ConsumerSettings.Handling(
                        settings.duration("consumer", name, "handler-time"),
                        settings.duration("consumer", name, "lock-renewal"),
                        settings.integer("consumer", name, "prefetch"),
                        settings.integer("consumer", name, "concurrency")),
                new ConsumerSettings.Memory(
                        settings.duration("consumer", name, "retention"),
                        settings.duration("consumer", name, "redrive-horizon")));
    }
}
