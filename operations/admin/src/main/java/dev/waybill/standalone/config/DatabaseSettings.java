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

    public record Connection(String url, Optional<String> user, Optional<Secret> password, int poolSize) {
        @Override
        public String toString() {
            return "a pool of " + poolSize + " connections";
        }
    }

    /** The same database under another login; unchanged if the login names no user. */
    public DatabaseSettings as(ConsoleSettings.Login login) {
        if (login.user().isEmpty()) {
            return this;
        }
        var other = new Connection(connection.url, login.user(), login.password(), connection.poolSize);
        return new DatabaseSettings(name, other, schema, namespace, destinations, collect);
    }

    @Override
    public String toString() {
        return "database '" + name + "'";
    }
}
