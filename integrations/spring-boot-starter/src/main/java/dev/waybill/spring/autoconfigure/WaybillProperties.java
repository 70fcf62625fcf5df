package dev.waybill.spring.autoconfigure;

import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of Waybill.
 *
 * @param enabled whether Waybill is configured at all
 * @param autoStartup whether relay and consumers start with the context
 * @param schema the schema of Waybill's tables
 * @param source the name of this application in its messages; spring.application.name unless given
 * @param cloudEvents whether messages have the attributes of a CloudEvent as headers; false unless given
 * @param objectMapper the bean name of the Jackson mapper for objects as bodies, where there are several
 * @param dataSource the bean name of the data source with Waybill's tables, where there are several
 * @param transactionManager the bean name of the transaction manager in whose transactions handlers run, where
 *     there are several
 * @param migrations what is done about Waybill's tables at the start
 * @param features features whose tables are made or checked beside those that the service uses: {@code events}, {@code
 *     dead-letters}, {@code console}
 * @param destinations the queues and topics that messages are appended for, by name
 * @param relay the relay of this process
 * @param consumers the consumers of this process, by the name under which they remember what they have handled
 * @param outboxes further outboxes in other databases, each with its own data source, destinations, relay and consumers; by the
 *     qualifier of its bean of type Outbox
 */
@ConfigurationProperties("waybill")
public record WaybillProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean autoStartup,
        @DefaultValue("waybill") String schema,
        @Nullable String source,
        @Nullable Boolean cloudEvents,
        @Nullable String objectMapper,
        @Nullable String dataSource,
        @Nullable String transactionManager,
        @DefaultValue("off") MigrationsMode migrations,
        @DefaultValue List<String> features,
        @DefaultValue Map<String, DestinationProperties> destinations,
        @DefaultValue @NestedConfigurationProperty RelayProperties relay,
        @DefaultValue Map<String, ConsumerProperties> consumers,
        @DefaultValue Map<String, WaybillProperties> outboxes) {
    /** Refuses a schema that PostgreSQL would not take. */
    public WaybillProperties {
        new SchemaName(schema);
        features = List.copyOf(features);
        destinations = Map.copyOf(destinations);
        consumers = Map.copyOf(consumers);
        outboxes = Map.copyOf(outboxes);
    }

    /** A further outbox as it runs: with this process's start, name and mapper, where it has none of its own. */
    WaybillProperties outbox(String name) {
        WaybillProperties own = Objects.requireNonNull(outboxes.get(name), name);
        Requirement.that(
                Requirement.given(own.dataSource()) != null,
                "waybill.outboxes." + name + " needs data-source, the bean name of its database");
        Requirement.that(own.outboxes().isEmpty(), "waybill.outboxes." + name + " has no outboxes below it");
        Requirement.that(
                own.enabled(),
                "waybill.outboxes." + name
                        + ".enabled is not read: leave the outbox out, or switch off its relay and its consumers");
        Requirement.that(
                own.objectMapper() == null,
                "waybill.outboxes." + name
                        + ".object-mapper is not read: the whole service has one, waybill.object-mapper");
        return new WaybillProperties(
                own.enabled(),
                own.autoStartup() && autoStartup,
                own.schema(),
                own.source() != null ? own.source() : source,
                own.cloudEvents() != null ? own.cloudEvents() : cloudEvents,
                objectMapper,
                own.dataSource(),
                own.transactionManager(),
                own.migrations(),
                own.features(),
                own.destinations(),
                own.relay(),
                own.consumers(),
                Map.of());
    }

    /** Whether this process runs a relay. */
    boolean publishes() {
        return relay.enabled() && !destinations.isEmpty();
    }

    SchemaName schemaName() {
        return new SchemaName(schema);
    }

    /** How the tables are made or checked at the start. */
    public enum MigrationsMode {
        /** Nothing: whoever deploys applies them. */
        OFF,
        /** The start fails if they are not what this version needs. */
        VALIDATE,
        /** They are brought to this version. Needs a role that may create them, and waybill-migrations. */
        APPLY
    }
}
