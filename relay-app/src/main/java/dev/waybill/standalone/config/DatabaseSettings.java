package dev.waybill.standalone.config;

import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Optional;

/**
 * A database with an outbox: one of several shards or tenants, or the only one.
 *
 * @param destinations the names of those its messages may have
 * @param collect whose dead letters are collected: destinations, or destination/subscription
 * @param poolSize most connections
 */
public record DatabaseSettings(
        String name,
        String url,
        Optional<String> user,
        Optional<String> password,
        SchemaName schema,
        String namespace,
        List<String> destinations,
        List<String> collect,
        int poolSize) {
    /** Copies the lists. */
    public DatabaseSettings {
        destinations = List.copyOf(destinations);
        collect = List.copyOf(collect);
    }

    /** Not the password. */
    @Override
    public String toString() {
        return "database '" + name + "'";
    }
}
