package dev.waybill.standalone.metrics;

import dev.waybill.deadletter.CollectorStatus;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.DestinationView.Held;
import dev.waybill.standalone.database.PartReader;
import dev.waybill.standalone.database.Status;
import dev.waybill.standalone.database.StatusReader;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads the metrics of a database into meters. One thread reads; scrapes come from any thread. */
public final class DatabaseMetrics {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final List<String> destinations;
    private final String instance;
    private final StatusReader statuses;
    private final PartReader parts;
    private final DeadLetters letters;
    private final OutboxMeters meters;

    private DatabaseMetrics(DatabaseSettings database, DataSource dataSource, String instance, OutboxMeters meters) {
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        schema = database.schema();
        this.destinations = database.destinations();
        this.instance = instance;
        this.meters = meters;
        statuses = new StatusReader(database.name(), dataSource, database.schema());
        parts = new PartReader(dataSource, database.schema());
        letters = DeadLetters.in(dataSource, database.schema());
    }

    /**
     * The metrics of a database.
     *
     * @param instance the unique name of the relay
     * @param interval between reads
     */
    public static DatabaseMetrics of(
            MeterRegistry registry,
            DatabaseSettings database,
            DataSource dataSource,
            String instance,
            Duration interval) {
        return new DatabaseMetrics(
                database, dataSource, instance, new OutboxMeters(registry, database.name(), interval));
    }

    public Status read() {
        Status status = withServed(statuses.read());
        boolean collects = FeatureMissing.isInstalled(dsl, schema, "dead_letter_entity");
        List<CollectorStatus> collectors = collects ? letters.collectors() : List.of();
        List<DeadLetterGroup> groups =
                collects ? letters.groups(DeadLetterFilter.open(), DeadLetterGroup.By.ENTITY) : List.of();
        meters.show(new MetricsReading(
                status,
                waiting(status),
                parts.relay(instance),
                withCollected(groups, collectors),
                collectors,
                parts.consumers()));
        return status;
    }

    private long waiting(Status status) {
        return status.destinations().stream()
                .filter(view -> destinations.contains(view.name()) && view.pending() > 0)
                .filter(view -> view.paused().isEmpty())
                .count();
    }

    /** Served destinations that are not paused and have messages that are due; empty if no reading is recent. */
    public OptionalLong waiting() {
        return meters.waiting();
    }

    public void hide() {
        meters.hide();
    }

    /** Hides outdated values. */
    public void hideOld() {
        meters.hideOld();
    }

    // An idle destination reports zero, because alerts on growth need that value.
    private Status withServed(Status status) {
        List<DestinationView> served = Stream.concat(
                        status.destinations().stream(),
                        destinations.stream()
                                .filter(name -> status.destinations().stream()
                                        .noneMatch(view -> view.name().equals(name)))
                                .map(name -> new DestinationView(
                                        name, 0, 0, new Held(0, 0), Optional.empty(), Optional.empty())))
                .toList();
        return new Status(status.database(), status.relays(), served, status.scheduled(), status.alarms());
    }

    private static List<DeadLetterGroup> withCollected(List<DeadLetterGroup> groups, List<CollectorStatus> collectors) {
        List<String> entities =
                groups.stream().map(group -> String.valueOf(group.key().get(0))).toList();
        Stream<DeadLetterGroup> empty = collectors.stream()
                .map(collector -> collector.entity().path())
                .distinct()
                .filter(entity -> !entities.contains(entity))
                .map(entity -> new DeadLetterGroup(List.of(entity), 0, Duration.ZERO, Duration.ZERO));
        return Stream.concat(groups.stream(), empty).toList();
    }
}
