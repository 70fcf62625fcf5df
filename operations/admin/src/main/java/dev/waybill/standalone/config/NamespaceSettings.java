package dev.waybill.standalone.config;

import java.util.Optional;

/**
 * A Service Bus namespace and how to sign in.
 *
 * @param signIn how the process proves who it is
 * @param administration how entity settings are read
 */
public record NamespaceSettings(
        String name, Optional<String> host, SignIn signIn, Tier tier, Administration administration) {

    /** Not the connection string. */
    @Override
    public String toString() {
        return "namespace '" + name + "'" + host.map(text -> " at " + text).orElse(" by connection string");
    }

    /**
     * How the process proves who it is.
     *
     * @param identity used with the host; of no meaning with a connection string
     */
    public record SignIn(Identity identity, Optional<String> clientId, Optional<Secret> connectionString) {
        /** Not the connection string. */
        @Override
        public String toString() {
            return identity.toString();
        }
    }

    /**
     * How entity settings are read.
     *
     * @param allowed whether they may be
     * @param endpoint where an emulator serves them
     */
    public record Administration(boolean allowed, Optional<String> endpoint) {}

    /** The identity that the process signs in with. */
    public enum Identity {
        /** The first of the others that answers. */
        DEFAULT,
        /** The machine's. */
        MANAGED_IDENTITY,
        /** The pod's. */
        WORKLOAD_IDENTITY,
        /** A service principal in environment variables. */
        ENVIRONMENT,
        /** The person who has signed in with {@code az login}. */
        CLI
    }

    /** The tier of the namespace, which decides what it can do. */
    public enum Tier {
        /** No sessions, topics or duplicate detection. */
        BASIC,
        /** Shared, with credits. */
        STANDARD,
        /** Messaging units, messages of up to 100 MB. */
        PREMIUM;

        /** The largest message, in bytes, unless the entity says otherwise. */
        public long largestMessage() {
            return this == PREMIUM ? 1 << 20 : 256 << 10;
        }
    }
}
