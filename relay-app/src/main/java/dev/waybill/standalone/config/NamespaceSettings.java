package dev.waybill.standalone.config;

import java.util.Optional;

/**
 * A Service Bus namespace and how to sign in.
 *
 * @param identity which identity is used with the host; of no meaning with a connection string
 * @param administration whether entity settings may be read
 * @param administrationEndpoint where an emulator serves them
 */
public record NamespaceSettings(
        String name,
        Optional<String> host,
        Identity identity,
        Optional<String> clientId,
        Optional<String> connectionString,
        Tier tier,
        boolean administration,
        Optional<String> administrationEndpoint) {

    /** Not the connection string. */
    @Override
    public String toString() {
        return "namespace '" + name + "'" + host.map(text -> " at " + text).orElse(" by connection string");
    }

    /** Who the process says it is. */
    public enum Identity {
        /** Whoever of the others answers first. */
        DEFAULT,
        /** The machine's. */
        MANAGED_IDENTITY,
        /** The pod's. */
        WORKLOAD_IDENTITY,
        /** A service principal in environment variables. */
        ENVIRONMENT,
        /** Whoever has signed in with {@code az login}. */
        CLI
    }

    /** What the namespace can do. */
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
