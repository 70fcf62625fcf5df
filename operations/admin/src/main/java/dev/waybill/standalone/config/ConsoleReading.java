package dev.waybill.standalone.config;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.config.ConsoleSettings.Login;
import dev.waybill.standalone.config.ConsoleSettings.Logins;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the settings of the console. Not thread-safe. */
final class ConsoleReading {
    static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Pattern HOST = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\\[[0-9a-f:.]+]");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]+");
    private static final int SHORTEST_SECRET = 16;
    private static final int MOST_BODY = 1 << 20;

    private final Settings settings;
    private final Checks checks;

    ConsoleReading(Settings settings, List<String> problems) {
        this.settings = settings;
        this.checks = new Checks(settings, problems);
    }

    ConsoleSettings read(List<DatabaseSettings> databases) {
        checks.atMost(65_535, "console.port");
        long limit = settings.bytes("console", "body-limit");
        if (limit > MOST_BODY) {
            checks.problem("console.body-limit must be 1MiB at most");
        }
        var console = new ConsoleSettings(
                settings.isOn("console", "enabled"),
                new ConsoleSettings.Place(
                        settings.text("console", "bind"),
                        settings.integer("console", "port"),
                        hosts(),
                        settings.isOn("console", "https"),
                        trustedProxies()),
                new ConsoleSettings.SignIn(
                        settings.optional("console", "users-file").map(Path::of),
                        proxy(),
                        settings.optional("console", "tokens-file").map(Path::of),
                        new OpenIdReading(settings, checks).read()),
                sessions(databases),
                logins(databases),
                new ConsoleSettings.Messages((int) Math.min(limit, MOST_BODY), mask()));
        if (console.enabled()) {
            console.refusals().forEach(checks::problem);
        }
        return console;
    }

    private ContentMask mask() {
        try {
            return ContentMask.of(settings.list("console", "redact"));
        } catch (IllegalArgumentException e) {
            checks.problem("console.redact: " + e.getMessage());
            return ContentMask.NONE;
        }
    }

    private Set<String> hosts() {
        var hosts = new LinkedHashSet<String>();
        for (String host : settings.list("console", "hosts")) {
            String name = host.toLowerCase(Locale.ROOT);
            if (!HOST.matcher(name).matches()) {
                checks.problem("console.hosts names '" + host + "', which is no host name; without scheme and port");
            }
            hosts.add(name);
        }
        return hosts.isEmpty() ? LOCAL_HOSTS : hosts;
    }

    private List<AddressRange> trustedProxies() {
        var ranges = new ArrayList<AddressRange>();
        for (String each : settings.list("console", "trusted-proxies")) {
            try {
                ranges.add(AddressRange.parse(each));
            } catch (IllegalArgumentException e) {
                checks.problem("console.trusted-proxies names " + e.getMessage());
            }
        }
        return ranges;
    }

    private Optional<ConsoleSettings.Proxy> proxy() {
        List<String> addresses = settings.list("console", "proxy", "addresses");
        Optional<Secret> secret = settings.secret("console", "proxy", "secret");
        if (addresses.isEmpty() != secret.isEmpty()) {
            checks.problem("console.proxy.addresses and console.proxy.secret need each other");
        }
        if (addresses.isEmpty() || secret.isEmpty()) {
            return Optional.empty();
        }
        addresses.stream()
                .filter(each -> AddressRange.address(each).isEmpty())
                .forEach(
                        each -> checks.problem("console.proxy.addresses names '" + each + "', which is no IP address"));
        if (secret.get().text().length() < SHORTEST_SECRET) {
            checks.problem("console.proxy.secret must have " + SHORTEST_SECRET + " characters at least");
        }
        String role = settings.text("console", "proxy", "default-role");
        if (role.equals("none") && settings.optional("console", "users-file").isEmpty()) {
            checks.problem("Nobody whom the proxy names could do anything: give console.users-file or"
                    + " console.proxy.default-role");
        }
        return Optional.of(new ConsoleSettings.Proxy(
                Set.copyOf(addresses),
                header("user-header"),
                header("secret-header"),
                secret.get(),
                Optional.of(role).filter(given -> !given.equals("none"))));
    }

    private String header(String option) {
        String header = settings.text("console", "proxy", option);
        if (!HEADER.matcher(header).matches()) {
            checks.problem("console.proxy." + option + " is '" + header + "', which is no name of a header");
        }
        return header;
    }

    private ConsoleSettings.Sessions sessions(List<DatabaseSettings> databases) {
        List<String> names = databases.stream().map(DatabaseSettings::name).toList();
        Optional<String> given = settings.optional("console", "session-database");
        given.ifPresent(name -> checks.isKnown("console.session-database", name, names));
        Duration idle = checks.atLeastMillis(60_000, "console.session-idle");
        Duration lifetime = checks.atLeastMillis(60_000, "console.session-lifetime");
        return new ConsoleSettings.Sessions(given.orElseGet(() -> names.isEmpty() ? "" : names.get(0)), idle, lifetime);
    }

    private Map<String, Logins> logins(List<DatabaseSettings> databases) {
        var logins = new LinkedHashMap<String, Logins>();
        for (DatabaseSettings database : databases) {
            logins.put(database.name(), new Logins(login(database, "viewer"), login(database, "operator")));
        }
        return logins;
    }

    private Login login(DatabaseSettings database, String who) {
        Optional<String> user = settings.optional("database", database.name(), who + "-user");
        Optional<Secret> password = settings.secret("database", database.name(), who + "-password");
        if (user.isEmpty() && password.isPresent()) {
            checks.problem("database." + database.name() + "." + who + "-password needs the " + who + "-user");
        }
        if (user.isPresent() && database.connection().url().matches("(?i).*[?&]user=.*")) {
            checks.problem("database." + database.name() + ".url names a user, who wins over " + who + "-user: give"
                    + " database." + database.name() + ".user in its place");
        }
        return new Login(user, password);
    }
}
