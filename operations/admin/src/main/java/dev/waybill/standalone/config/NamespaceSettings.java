package dev.waybill.standalone.config;

import java.util.Optional;

/** A Service Bus namespace and its sign-in. */
public record NamespaceSettings(
        String name, Optional<String> host, SignIn signIn, Tier tier, Administration administration) {

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
