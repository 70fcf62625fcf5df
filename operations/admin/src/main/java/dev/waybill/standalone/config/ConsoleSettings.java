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

/**
 * The operators' console.
 *
 * @param enabled whether it is served beside the relays
 * @param logins who it is in each database, by the database's name
 * @param messages what is shown of them
 */
public record ConsoleSettings(
        boolean enabled, Place place, SignIn signIn, Sessions sessions, Map<String, Logins> logins, Messages messages) {
    /** Copies the map. */
    public ConsoleSettings {
        logins = Map.copyOf(logins);
    }

    /**
     * Where browsers reach it.
     *
     * @param hosts the names in their addresses, in lower case
     * @param https whether TLS ends at a proxy in front of it
     * @param trustedProxies those that tell whose requests they pass on
     */
    public record Place(String bind, int port, Set<String> hosts, boolean https, List<AddressRange> trustedProxies) {
        /** Copies the names and the proxies. */
        public Place {
            hosts = Set.copyOf(hosts);
            trustedProxies = List.copyOf(trustedProxies);
        }

        /** Whether only this machine can connect. */
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

    /**
     * How people say who they are, and programs. Without people, by a token that the log tells at the start.
     *
     * @param tokensFile of programs, which no browser can use
     */
    public record SignIn(
            Optional<Path> usersFile, Optional<Proxy> proxy, Optional<Path> tokensFile, Optional<OpenId> openId) {
        /** Whether there are people with names. */
        public boolean isConfigured() {
            return usersFile.isPresent() || proxy.isPresent() || openId.isPresent();
        }
    }

    /**
     * A provider of OpenID Connect.
     *
     * @param claims the ones that name the person and the person's roles
     * @param roles of values of the role claim
     */
    public record OpenId(
            URI issuer, String clientId, Secret clientSecret, Claims claims, Map<String, List<String>> roles) {
        /** Copies the map. */
        public OpenId {
            roles = Map.copyOf(roles);
        }

        /** The scopes to ask for, and the claims in which the answer has name and role. */
        public record Claims(List<String> scopes, String name, String role) {
            /** Copies the list. */
            public Claims {
                scopes = List.copyOf(scopes);
            }
        }
    }

    /**
     * Proxies that sign people in.
     *
     * @param addresses theirs
     * @param defaultRole of people whom the users file does not name: viewer or operator
     */
    public record Proxy(
            Set<String> addresses,
            String userHeader,
            String secretHeader,
            Secret secret,
            Optional<String> defaultRole) {
        /** Copies the addresses. */
        public Proxy {
            addresses = Set.copyOf(addresses);
        }
    }

    /**
     * How long people stay signed in.
     *
     * @param database the one that remembers them
     * @param idle after the last request
     * @param lifetime after signing in
     */
    public record Sessions(String database, Duration idle, Duration lifetime) {}

    /**
     * The part of messages that is shown.
     *
     * @param bodyLimit how many bytes of a body
     * @param mask what is hidden
     */
    public record Messages(int bodyLimit, ContentMask mask) {}

    /** The console's roles in a database. */
    public record Logins(Login viewer, Login operator) {}

    /** A database role; that of the database's own options unless given. */
    public record Login(Optional<String> user, Optional<Secret> password) {
        /** Not the password. */
        @Override
        public String toString() {
            return user.orElse("the database's own user");
        }
    }

    /** The reasons not to serve it; empty if there are none. */
    public List<String> refusals() {
        return ConsoleChecks.refusals(this);
    }
}
