package dev.waybill.standalone.config;

import dev.waybill.standalone.config.NamespaceSettings.Network;
import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads transport and proxy of a namespace. */
final class ProxyReading {
    private static final int LAST_PORT = 65_535;

    /** Characters of hosts' names and addresses, and asterisks; not of lists or networks, which would match nothing. */
    private static final Pattern EXCLUSION = Pattern.compile("[A-Za-z0-9*_\\[:-][A-Za-z0-9.*_\\[\\]:-]*");

    private static final Pattern UNDERSCORE = Pattern.compile("(?:@|//)[^@/]*_[^@/]*$");

    private static final Pattern OTHER_SCHEME = Pattern.compile("(?i)(?!http://)[a-z][a-z0-9+.-]*://");
    private static final Pattern PORTLESS = Pattern.compile("(?:@|//)[^@/:]+:?/?$");

    private final Settings settings;
    private final Checks checks;

    ProxyReading(Settings settings, Checks checks) {
        this.settings = settings;
        this.checks = checks;
    }

    Network network(String namespace) {
        boolean webSockets = settings.text("namespace", namespace, "transport").equals("websockets");
        Optional<String> given = settings.optional("namespace", namespace, "proxy");
        String option = "namespace." + namespace + ".proxy";
        if (given.isPresent() && !webSockets) {
            checks.problem(option + " needs namespace." + namespace
                    + ".transport: websockets, as an HTTP proxy does not carry AMQP on port 5671");
        }
        if (given.isEmpty()) {
            for (String addition : new String[] {"proxy-password", "proxy-exclusions"}) {
                if (settings.origin("namespace", namespace, addition) != null) {
                    checks.problem("namespace." + namespace + "." + addition + " needs " + option);
                }
            }
        }
        return new Network(webSockets, given.flatMap(text -> proxy(namespace, option, text)));
    }

    private Optional<Proxy> proxy(String namespace, String option, String text) {
        @Nullable URI url = url(text);
        if (url == null) {
            checks.problem(option + " must be a URL such as http://user@proxy.example:3128" + hint(text));
            return Optional.empty();
        }
        Optional<String> user = Optional.ofNullable(url.getUserInfo());
        if (user.filter(name -> name.contains(":")).isPresent()) {
            checks.problem(option + " holds a password: give " + option + "-password or " + option + "-password-file");
        }
        Optional<Secret> password = settings.secret("namespace", namespace, "proxy-password");
        if (password.filter(secret -> secret.text().isEmpty()).isPresent()) {
            checks.problem(option + "-password-file: the file is empty");
        } else if (user.isPresent() != password.isPresent()) {
            checks.problem(option + " needs both a user in its URL and " + option + "-password, or neither of them");
        }
        List<String> exclusions = settings.list("namespace", namespace, "proxy-exclusions");
        exclusions.stream()
                .filter(host -> !EXCLUSION.matcher(host).matches())
                .forEach(host -> checks.problem(option + "-exclusions names '" + host
                        + "', which no host is called: give hosts such as *.internal, with commas between them"));
        return Optional.of(new Proxy(url.getHost(), url.getPort(), user, password, exclusions));
    }

    private static String hint(String text) {
        if (OTHER_SCHEME.matcher(text).lookingAt()) {
            return "; only http:// is supported, and the tunnel inside is TLS";
        }
        if (UNDERSCORE.matcher(text).find()) {
            return ", and a host's name has no underscore: give another name of it, or its address";
        }
        if (PORTLESS.matcher(text).find()) {
            return "; the port is missing";
        }
        return text.indexOf('@') >= 0 ? "; in a user write @ as %40, \\ as %5C and % as %25" : "";
    }

    private static @Nullable URI url(String text) {
        try {
            URI url = URI.create(text);
            boolean plain = url.getRawPath() == null
                    || url.getRawPath().isEmpty()
                    || url.getRawPath().equals("/");
            return "http".equalsIgnoreCase(url.getScheme()) && url.getHost() != null && isPort(url.getPort()) && plain
                    ? url
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isPort(int port) {
        return port > 0 && port <= LAST_PORT;
    }
}
