package dev.waybill.standalone.config;

import java.util.List;
import java.util.Optional;

/** A Service Bus namespace and its sign-in. */
public record NamespaceSettings(
        String name, Optional<String> host, SignIn signIn, Tier tier, Administration administration, Network network) {

    @Override
    public String toString() {
        return "namespace '" + name + "'" + host.map(text -> " at " + text).orElse(" by connection string");
    }

    /** How the process authenticates; a connection string overrides the identity. */
    public record SignIn(Identity identity, Optional<String> clientId, Optional<Secret> connectionString) {
        @Override
        public String toString() {
            return identity.toString();
        }
    }

    /** How the process reads entity settings; an emulator has its own administration endpoint. */
    public record Administration(boolean allowed, Optional<String> endpoint) {}

    /** The way to the namespace: AMQP on port 5671, or in WebSockets on port 443. */
    public record Network(boolean webSockets, Optional<Proxy> proxy) {}

    /** An HTTP proxy; hosts that match an exclusion are reached directly. An asterisk stands for any text. */
    public record Proxy(
            String host, int port, Optional<String> user, Optional<Secret> password, List<String> exclusions) {
        public Proxy {
            exclusions = List.copyOf(exclusions);
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    public enum Identity {
        /** The first identity of the Azure chain that works. */
        DEFAULT,
        MANAGED_IDENTITY,
        WORKLOAD_IDENTITY,
        ENVIRONMENT,
        CLI
    }

    /** The tier of a namespace. */
    public enum Tier {
        BASIC,
        STANDARD,
        PREMIUM;

        /** The size limit in bytes, unless the entity declares another one. */
        public long largestMessage() {
            return this == PREMIUM ? 1 << 20 : 256 << 10;
        }
    }
}
