package dev.waybill.standalone.config;

import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Optional;

/** A database with an outbox: its allowed destinations, and the entities whose dead letters are collected. */
public record DatabaseSettings(
        String name,
        Connection connection,
        SchemaName schema,
        String namespace,
        List<String> destinations,
        List<String> collect) {
    public DatabaseSettings {
        destinations = List.copyOf(destinations);
        collect = List.copyOf(collect);
    }

    public record Connection(String url, SignIn signIn, int poolSize) {
        @Override
        public String toString() {
            return "a pool of " + poolSize + " connections";
        }
    }

    /** A role with a password, or with a credential that makes one; the URL may name both instead. */
    public record SignIn(
            Optional<String> user, Optional<Secret> password, Optional<String> credential, Optional<String> clientId) {
        public static final SignIn BY_URL =
                new SignIn(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        @Override
        public String toString() {
            return user.map(name -> "role '" + name + "'").orElse("the role of the URL");
        }
    }

    /** The same database under another login; unchanged if the login names no user. */
    public DatabaseSettings as(ConsoleSettings.Login login) {
        if (login.user().isEmpty()) {
            return this;
        }
        // A login without a password of its own is another role of the same identity.
        SignIn before = connection.signIn;
        SignIn signIn = new SignIn(
                login.user(),
                login.password(),
                login.password().isPresent() ? Optional.empty() : before.credential(),
                before.clientId());
        var other = new Connection(connection.url, signIn, connection.poolSize);
        return new DatabaseSettings(name, other, schema, namespace, destinations, collect);
    }

    @Override
    public String toString() {
        return "database '" + name + "'";
    }
}
