package dev.waybill.standalone.doctor;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.topology.ActiveEntities;
import dev.waybill.standalone.topology.Difference;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Examines every configured database, entity and consumer. Not thread-safe. */
public final class Doctor {
    private final Configuration configuration;
    private final Function<NamespaceSettings, Entities> entities;
    private final InstantSource clock;
    private final Findings findings = new Findings();
    private final Map<NamespaceSettings, Known> namespaces = new HashMap<>();

    private Doctor(Configuration configuration, Function<NamespaceSettings, Entities> entities, InstantSource clock) {
        this.configuration = configuration;
        this.entities = entities;
        this.clock = clock;
    }

    /** Runs all examinations with the clock of this machine; returns the findings, the worst first. */
    public static List<Finding> examine(
            Configuration configuration,
            Function<NamespaceSettings, Entities> entities,
            Function<DatabaseSettings, DataSource> pools,
            InstantSource clock) {
        ActiveEntities inForce = ActiveEntities.of(configuration, pools, (database, failure) -> {});
        var doctor = new Doctor(inForce.configuration(), entities, clock);
        inForce.differences().forEach(doctor::moved);
        configuration.databases().forEach(database -> doctor.examine(database, pools.apply(database)));
        configuration.namespaces().forEach(doctor::examine);
        configuration.consumers().forEach(doctor::examine);
        return doctor.findings.sorted();
    }

    private void moved(Difference difference) {
        findings.warning(
                Diagnosis.ENTITY,
                difference.entity(),
                difference.setting().name() + " is " + difference.setting().actual() + ", not "
                        + difference.setting().declared(),
                "relays send to the entity that the database names; whatever goes by this configuration looks at another",
                String.join("; ", difference.steps()));
    }

    private void examine(DatabaseSettings database, DataSource pool) {
        var tables = new TablesExamination(database, pool, findings, clock, unreached(database));
        if (!tables.run()) {
            return;
        }
        new ConnectionsExamination(configuration, database, pool, findings).run();
        for (DestinationSettings destination : configuration.destinations(database)) {
            NamespaceSettings namespace = configuration.namespace(database, destination);
            Known known = facts(namespace);
            new RowsExamination(database, destination, namespace, pool, findings, known.azure())
                    .run(known.facts(destination));
        }
        new TrafficExamination(configuration, database, pool, findings).run();
    }

    private void examine(NamespaceSettings namespace) {
        Known known = facts(namespace);
        if (known.away().isPresent()) {
            Entities.Address address = known.entities().address();
            findings.error(
                    Diagnosis.BROKER_AWAY,
                    "namespace " + namespace.name() + " at " + address.host() + ":" + address.port(),
                    known.away().get(),
                    known.entities().check());
            return;
        }
        var entity = new EntityExamination(configuration, namespace, known, findings);
        entity.tier();
        configuration.destinations(namespace).forEach(entity::run);
    }

    private void examine(ConsumerSettings consumer) {
        new ConsumerExamination(configuration, this::facts, findings).run(consumer);
    }

    private Known facts(NamespaceSettings namespace) {
        return namespaces.computeIfAbsent(namespace, this::ask);
    }

    private Known ask(NamespaceSettings namespace) {
        Entities asked = entities.apply(namespace);
        Optional<String> first = configuration.destinations(namespace).stream()
                .map(destination -> destination.place().entity())
                .findFirst();
        return new Known(asked, asked.away(first));
    }

    // Destinations that wait only because their namespace is unreachable.
    private Set<String> unreached(DatabaseSettings database) {
        return configuration.destinations(database).stream()
                .filter(destination -> facts(configuration.namespace(database, destination))
                        .away()
                        .isPresent())
                .map(DestinationSettings::name)
                .collect(Collectors.toSet());
    }
}
