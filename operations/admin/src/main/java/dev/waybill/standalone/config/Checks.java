package dev.waybill.standalone.config;

import dev.waybill.message.BrokerNames;
import dev.waybill.servicebus.ConnectionStrings;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Collects every problem of the configuration before it fails. */
final class Checks {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9-]+)+");

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.[0-9.]+|\\[::1]");
    private static final Pattern CLEAR = Pattern.compile("(?i)disable|allow|prefer");
    private static final String FORWARDED = "forward-dead-letters-to";

    private final Settings settings;
    private final List<String> problems;

    Checks(Settings settings, List<String> problems) {
        this.settings = settings;
        this.problems = problems;
    }

    void problem(String text) {
        problems.add(text);
    }

    void atLeast(int least, String option) {
        if (settings.integer(path(option)) < least) {
            problem(said(option) + " must be " + least + " at least");
        }
    }

    void atMost(int most, String option) {
        if (settings.integer(path(option)) > most) {
            problem(said(option) + " must be " + most + " at most");
        }
    }

    Duration atLeastMillis(long least, String option) {
        Duration duration = settings.duration(path(option));
        if (duration.toMillis() < least) {
            problem(said(option) + " must be " + least + "ms at least");
        }
        return duration;
    }

    Duration upToOneDay(long leastMillis, String option) {
        return upToDays(1, leastMillis, option);
    }

    Duration upToDays(int mostDays, long leastMillis, String option) {
        Duration duration = atLeastMillis(leastMillis, option);
        if (duration.compareTo(Duration.ofDays(mostDays)) > 0) {
            problem(said(option) + " must be " + mostDays + "d at most");
        }
        return duration;
    }

    void isKnown(String option, String name, List<String> known) {
        if (!known.contains(name)) {
            problem(option + " names '" + name + "', which is not configured" + Suggestion.among(known, name));
        }
    }

    /** An entity is a destination, or destination/subscription; a name may contain slashes. */
    void isEntity(String option, String entity, List<String> destinations) {
        int slash = entity.lastIndexOf('/');
        if (destinations.contains(entity) || slash < 0) {
            isKnown(option, entity, destinations);
            return;
        }
        String destination = entity.substring(0, slash);
        isKnown(option, destination, destinations);
        List<String> subscriptions = List.copyOf(settings.names("destination", destination, "subscription"));
        if (!subscriptions.isEmpty()) {
            isKnown(option, entity.substring(slash + 1), subscriptions);
        }
    }

    /** A broker that forwards the dead letters of an entity leaves a collector nothing. */
    void keepsDeadLetters(String database, String entity, boolean queue) {
        int slash = entity.lastIndexOf('/');
        String[] key = queue || slash < 0
                ? new String[] {"destination", entity, FORWARDED}
                : new String[] {
                    "destination", entity.substring(0, slash), "subscription", entity.substring(slash + 1), FORWARDED
                };
        settings.optional(key)
                .ifPresent(target -> problem("database." + database + ".collect names " + entity
                        + ", whose dead letters the broker forwards to " + target + ": " + new Key(List.of(key))));
    }

    void databaseUrl(String database) {
        String url = settings.text("database", database, "url");
        if (!url.startsWith("jdbc:postgresql:")) {
            problem("database." + database + ".url "
                    + (url.isEmpty() ? "is needed" : "must start with jdbc:postgresql:"));
        } else if (url.replaceFirst("\\?.*", "").contains("@")) {
            problem("database." + database
                    + ".url has a user or a password before the host, where the driver knows none: give" + " database."
                    + database + ".user and .password-file");
        }
    }

    void databaseCredential(String database) {
        String option = "database." + database;
        boolean given = settings.optional("database", database, "credential").isPresent();
        String url = settings.text("database", database, "url");
        boolean password = settings.secret("database", database, "password").isPresent();
        if (given && (password || url.matches("(?i).*[?&]password=.*"))) {
            problem(option + " has a credential and a password; give one of them");
        }
        boolean user = settings.optional("database", database, "user").isPresent() || url.matches("(?i).*[?&]user=.*");
        if (given && !user) {
            problem(option + ".credential needs " + option + ".user, the role of the identity");
        }
        if (given && isInTheClear(url)) {
            problem(option
                    + ".url may send the credential's token in the clear: give it no sslmode, or a stricter one");
        }
        if (!given && settings.optional("database", database, "client-id").isPresent()) {
            problem(option + ".client-id needs " + option + ".credential");
        }
    }

    private static boolean isInTheClear(String url) {
        @Nullable Properties parsed = Driver.parseURL(url, new Properties());
        return parsed != null
                && CLEAR.matcher(parsed.getProperty(PGProperty.SSL_MODE.getName(), ""))
                        .matches()
                && !LOOPBACK.matcher(parsed.getProperty(PGProperty.PG_HOST.getName(), ""))
                        .matches();
    }

    void namespace(NamespaceSettings namespace) {
        String name = "namespace." + namespace.name();
        if (namespace.host().isPresent()
                == namespace.signIn().connectionString().isPresent()) {
            problem(name + " needs either host or connection-string");
        }
        namespace.host().filter(host -> !HOST.matcher(host).matches()).ifPresent(host -> {
            problem(name + ".host must be a host name such as name.servicebus.windows.net");
        });
        namespace
                .signIn()
                .connectionString()
                .filter(secret -> !secret.text().toLowerCase(Locale.ROOT).contains("endpoint="))
                .ifPresent(secret -> {
                    problem(name + ".connection-string must look like Endpoint=sb://...;SharedAccessKeyName=...;"
                            + "SharedAccessKey=...");
                });
        namespace
                .signIn()
                .connectionString()
                .flatMap(secret -> ConnectionStrings.problem(secret.text()))
                .ifPresent(words -> problem(name + ".connection-string " + words));
        namespace.administration().endpoint().filter(text -> !isUrl(text)).ifPresent(text -> {
            problem(name + ".administration-endpoint must be a URL such as http://127.0.0.1:5300");
        });
    }

    /** Refuses databases and destinations that are one, as after a copied block. */
    void requireDistinct(Configuration configuration) {
        var databases = new HashMap<String, String>();
        var collected = new HashMap<String, String>();
        for (DatabaseSettings database : configuration.databases()) {
            String name = database.name();
            @Nullable String twin = databases.putIfAbsent(database.connection().url() + ' ' + database.schema(), name);
            if (twin != null) {
                problem("database." + name + " has the url and the schema of database." + twin
                        + "; one of the two is wrong");
            }
            destinations(configuration, database);
            for (String entity : database.collect()) {
                @Nullable String other = collected.putIfAbsent(place(configuration, database, entity), name);
                if (other != null && !other.equals(name)) {
                    problem("database." + name + ".collect and database." + other + ".collect both name " + entity
                            + ": each would have some of its dead letters. Let one database collect them");
                }
            }
        }
    }

    // A session that is appended to by both would have no order.
    private void destinations(Configuration configuration, DatabaseSettings database) {
        Map<String, String> places = new HashMap<>();
        for (DestinationSettings destination : configuration.destinations(database)) {
            @Nullable String other = places.putIfAbsent(place(configuration, database, destination), destination.name());
            if (other != null) {
                problem("destination." + destination.name() + " and destination." + other
                        + " are one entity of one namespace, '"
                        + destination.place().entity() + "': give the messages of database." + database.name()
                        + " one destination");
            }
        }
    }

    /** Of a destination, or of destination/subscription. */
    private static String place(Configuration configuration, DatabaseSettings database, String entity) {
        List<DestinationSettings> all = configuration.destinations();
        int slash = entity.lastIndexOf('/');
        boolean queue = slash < 0 || all.stream().anyMatch(each -> each.name().equals(entity));
        String name = queue ? entity : entity.substring(0, slash);
        String place = all.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(each -> place(configuration, database, each))
                .orElse(name);
        return queue ? place : place + BrokerNames.key(entity.substring(slash));
    }

    private static String place(
            Configuration configuration, DatabaseSettings database, DestinationSettings destination) {
        // A console or a command needs no namespace.
        String name = destination.place().namespace().orElse(database.namespace());
        return configuration.namespaces().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .flatMap(NamespaceSettings::host)
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .orElse(name)
                + ' '
                + BrokerNames.key(destination.place().entity());
    }

    private static boolean isUrl(String text) {
        try {
            return URI.create(text).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private String said(String option) {
        String origin = settings.origin(path(option));
        return (origin == null ? "" : origin + ": ") + option;
    }

    private static String[] path(String option) {
        return option.split("\\.", -1);
    }
}
