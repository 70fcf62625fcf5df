package dev.waybill.standalone.config;

import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Optional;

/**
 * A database with an outbox: one of several shards or tenants, or the only one.
 *
 * @param connection how it is reached
 * @param destinations the names of those its messages may have
 * @param collect whose dead letters are collected: destinations, or destination/subscription
 */
public record DatabaseSettings(
        String name,
        Connection connection,
        SchemaName schema,
        String namespace,
        List<String> destinations,
        List<String> collect) {
    /** Copies the lists. */
    public DatabaseSettings {
        destinations = List.copyOf(destinations);
        collect = List.copyOf(collect);
    }

    /**
     * How a database is reached.
     *
     * @param url as JDBC has it
     * @param poolSize most connections
     */
    public record Connection(String url, Optional<String> user, Optional<Secret> password, int poolSize) {
        /** Not the password. */
        @Override
        public String toString() {
            return "a pool of " + poolSize + " connections";
        }
    }

    /** The same database for another role of it; itself if the login names none. */
    public DatabaseSettings as(ConsoleSettings.Login login) {
        if (login.user().isEmpty()) {
            return this;
        }
        var other = new Connection(connection.url, login.user(), login.password(), connection.poolSize);
        return new DatabaseSettings(name, other, schema, namespace, destinations, collect);
    }

    /** Not the password. */
    @Override
    public String toString() {
        return "database '" + name + "'";
    }
}
