package dev.waybill.standalone.service;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.config.RelaySettings;
import dev.waybill.standalone.database.Pools;
import dev.waybill.standalone.metrics.DatabaseMetrics;
import dev.waybill.standalone.metrics.SendMetrics;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.Router;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the configured relays. */
final class DatabaseRelays {
    private final Configuration configuration;
    private final MeterRegistry meters;
    private final UnaryOperator<Publisher> tracing;

    DatabaseRelays(Configuration configuration, MeterRegistry meters, UnaryOperator<Publisher> tracing) {
        this.configuration = configuration;
        this.meters = meters;
        this.tracing = tracing;
    }

    DatabaseRelay of(DatabaseSettings database) {
        String instance = configuration.process().instance();
        HikariDataSource pool = Pools.forRelay(database, instance);
        pool.setMetricRegistry(meters);
        var sends = new SendMetrics(tracing.apply(Router.of(configuration, database)), meters, database.name());
        return new DatabaseRelay(
                database,
                pool,
                new DatabaseRelay.Work(
                        relay(database, pool, sends),
                        deadLetters(database),
                        configuration.console().enabled()),
                sends,
                DatabaseMetrics.of(
                        meters,
                        database,
                        pool,
                        instance,
                        configuration.process().metrics().interval()));
    }

    private List<DeadLetterQueue> deadLetters(DatabaseSettings database) {
        return database.collect().stream()
                .flatMap(entity -> deadLetters(database, entity))
                .toList();
    }

    // An entity that forwards has a second dead-letter queue, for what could not be forwarded.
    private Stream<DeadLetterQueue> deadLetters(DatabaseSettings database, String entity) {
        for (DestinationSettings destination : configuration.destinations()) {
            var bus = new Bus(configuration.namespace(database, destination));
            String prefix = destination.name() + "/";
            if (!destination.form().topic() && entity.equals(destination.name())) {
                return with(bus.deadLetters(destination.place().entity()), destination.receiving());
            }
            if (destination.form().topic() && entity.startsWith(prefix)) {
                String name = entity.substring(prefix.length());
                ServiceBusDeadLetters letters =
                        bus.deadLetters(destination.place().entity(), name);
                @Nullable Subscription declared = destination.subscriptions().get(name);
                return declared == null ? Stream.of(letters) : with(letters, declared.receiving());
            }
        }
        throw new ConfigException("database." + database.name() + ".collect names '" + entity
                + "', which is neither a queue nor a topic's subscription");
    }

    private static Stream<DeadLetterQueue> with(ServiceBusDeadLetters letters, Receiving receiving) {
        return receiving.forwardTo().isPresent() ? Stream.of(letters, letters.transfers()) : Stream.of(letters);
    }

    private Relay relay(DatabaseSettings database, HikariDataSource pool, Publisher publisher) {
        RelaySettings settings = configuration.relay();
        Relay.Builder relay = Relay.builder(pool)
                .schema(database.schema())
                .name(configuration.process().instance())
                .publisher(publisher)
                .tuning(tuning -> tuning.leaseDuration(settings.leaseDuration())
                        .pollInterval(settings.polling().interval())
                        .longestIdle(settings.polling().longestIdle())
                        .listening(settings.listen())
                        .batchRows(settings.polling().batchRows()));
        for (DestinationSettings destination : configuration.destinations(database)) {
            relay.destination(
                    destination.name(),
                    destination.sending().holdsSession() ? HoldPolicy.HOLD_SESSION : HoldPolicy.HOLD_MESSAGE);
            if (destination.sending().retains()) {
                relay.retain(destination.name(), destination.sending().retain());
            }
        }
        if (settings.claimRetention().compareTo(Duration.ZERO) > 0) {
            relay.claims(ClaimStore.inPostgres(database.schema()), settings.claimRetention());
        }
        return relay.build();
    }
}
