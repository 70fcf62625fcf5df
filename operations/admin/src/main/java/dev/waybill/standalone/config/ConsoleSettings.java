package dev.waybill.standalone.config;

import dev.waybill.deadletter.ContentMask;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings of the console, with a database login for each database by name. */
public record ConsoleSettings(
        boolean enabled, Place place, SignIn signIn, Sessions sessions, Map<String, Logins> logins, Messages messages) {
    public ConsoleSettings {
        logins = Map.copyOf(logins);
    }

    /** The public address of the console: accepted host names in lower case, and whether a proxy terminates TLS. */
    public record Place(String bind, int port, Set<String> hosts, boolean https, List<AddressRange> trustedProxies) {
        public Place {
            hosts = Set.copyOf(hosts);
            trustedProxies = List.copyOf(trustedProxies);
        }

        public boolean isLoopback() {
            if (bind.equals("localhost")) {
                return true;
            }
            try {
                return bind.matches("[0-9.]+|.*:.*")
                        && InetAddress.getByName(bind).isLoopbackAddress();
            } catch (UnknownHostException e) {
                return false;
            }
        }
    }

    /** How people and programs sign in. Without any setting, the console logs a start-up token. */
    public record SignIn(
            Optional<Path> usersFile, Optional<Proxy> proxy, Optional<Path> tokensFile, Optional<OpenId> openId) {
        public boolean isConfigured() {
            return usersFile.isPresent() || proxy.isPresent() || openId.isPresent();
        }
    }

    /** A provider of OpenID Connect, with the roles for each value of the role claim. */
    public record OpenId(
            URI issuer, String clientId, Secret clientSecret, Claims claims, Map<String, List<String>> roles) {
        public OpenId {
            roles = Map.copyOf(roles);
        }

        /** The scopes to request and the claims that carry the name and the role. */
        public record Claims(List<String> scopes, String name, String role) {
            public Claims {
                scopes = List.copyOf(scopes);
            }
        }
    }

    /** Proxies that sign people in; people without a line in the users file get {@code defaultRole}. */
    public record Proxy(
            Set<String> addresses,
            String userHeader,
            String secretHeader,
            Secret secret,
            Optional<String> defaultRole) {
        public Proxy {
            addresses = Set.copyOf(addresses);
        }
    }

    /** How long people stay signed in, and the database that stores their sessions. */
    public record Sessions(String database, Duration idle, Duration lifetime) {}

    public record Messages(int bodyLimit, ContentMask mask) {}

    public record Logins(Login viewer, Login operator) {}

    /** A database role; empty fields take the values of the database. */
    public record Login(Optional<String> user, Optional<Secret> password) {
        @Override
        public String toString() {
            return user.orElse("the database's own user");
        }
    }

    /** The reasons to refuse the start; empty if there are none. */
    public List<String> refusals() {
        return ConsoleChecks.refusals(this);
    }
}
