package dev.waybill.standalone.config;

import dev.waybill.standalone.config.ConsoleSettings.OpenId;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the settings of OpenID Connect. Not thread-safe. */
final class OpenIdReading {
    private static final Pattern ROLE = Pattern.compile("(.+)=((?:viewer|operator|admin)(?:@[A-Za-z0-9_-]+)?)");
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Settings settings;
    private final Checks checks;

    OpenIdReading(Settings settings, Checks checks) {
        this.settings = settings;
        this.checks = checks;
    }

    Optional<OpenId> read() {
        Optional<String> issuer = settings.optional("console", "openid", "issuer");
        Optional<String> client = settings.optional("console", "openid", "client-id");
        Optional<Secret> secret = settings.secret("console", "openid", "client-secret");
        Map<String, List<String>> roles = roles();
        boolean all = issuer.isPresent() && client.isPresent() && secret.isPresent() && !roles.isEmpty();
        boolean none = issuer.isEmpty() && client.isEmpty() && secret.isEmpty() && roles.isEmpty();
        if (!all && !none) {
            checks.problem("console.openid.issuer, .client-id, .client-secret and .roles need each other");
        }
        return all
                ? address(issuer.get()).map(each -> new OpenId(each, client.get(), secret.get(), claims(), roles))
                : Optional.empty();
    }

    // Plain HTTP would let an attacker replace the signing keys.
    private Optional<URI> address(String text) {
        try {
            var address = new URI(text);
            boolean safe = "https".equals(address.getScheme())
                    || ("http".equals(address.getScheme()) && LOCAL.contains(String.valueOf(address.getHost())));
            if (safe && address.getHost() != null && address.getQuery() == null && address.getFragment() == null) {
                return Optional.of(address);
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        checks.problem("console.openid.issuer must be an https address without a query");
        return Optional.empty();
    }

    private OpenId.Claims claims() {
        var scopes = new ArrayList<>(settings.list("console", "openid", "scopes"));
        if (!scopes.contains("openid")) {
            scopes.add("openid");
        }
        return new OpenId.Claims(
                scopes,
                settings.text("console", "openid", "name-claim"),
                settings.text("console", "openid", "role-claim"));
    }

    private Map<String, List<String>> roles() {
        var roles = new LinkedHashMap<String, List<String>>();
        for (String each : settings.list("console", "openid", "roles")) {
            Matcher role = ROLE.matcher(each);
            if (role.matches()) {
                roles.computeIfAbsent(role.group(1), value -> new ArrayList<>()).add(role.group(2));
            } else {
                checks.problem(
                        "console.openid.roles has '" + each + "', which is no value=viewer, =operator or =admin");
            }
        }
        return roles;
    }
}
