package dev.waybill.servicebus.stress;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Some relays, each with a pool and a route of its own. Thread-safe. */
final class Relays implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration SEND_DEADLINE = Duration.ofSeconds(2);
    private static final long RETRY_NANOS = Duration.ofMillis(200).toNanos();

    private final List<Route> routes;
    private final EmbeddedServiceBus bus;
    private final List<@Nullable Running> running = new ArrayList<>();
    private volatile boolean closed;

    Relays(List<Route> routes, EmbeddedServiceBus bus) {
        this.routes = List.copyOf(routes);
        this.bus = bus;
        routes.forEach(route -> running.add(null));
    }

    synchronized void start() {
        for (int i = 0; i < routes.size(); i++) {
            if (running.get(i) == null) {
                running.set(i, begin(i));
            }
        }
    }

    /** Stops all at once: one that has lost its database takes its time. */
    synchronized void stop() {
        IntStream.range(0, routes.size()).parallel().forEach(this::stop);
    }

    /** Stops one relay, if it runs, and starts another in its place. */
    synchronized void replace(int i) {
        if (running.get(i) != null) {
            stop(i);
            running.set(i, begin(i));
        }
    }

    private void stop(int i) {
        Running relay = running.set(i, null);
        if (relay != null) {
            relay.close();
        }
    }

    /** Tries until it succeeds, as whatever supervises the process would. */
    private @Nullable Running begin(int i) {
        while (!closed) {
            var pool = pool(i);
            var relay = Relay.builder(pool)
                    .name("relay-" + i)
                    .destination(FailoverStressTest.DESTINATION)
                    .publisher(ServiceBusPublisher.of(
                                    () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                            .withSendDeadline(SEND_DEADLINE))
                    .tuning(tuning -> tuning.leaseDuration(LEASE))
                    .build();
            try {
                relay.start();
                return new Running(relay, pool);
            } catch (DataAccessException e) {
                pool.close();
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
        return null;
    }

    // Some users limit their sockets and some leave that to the relay.
    private HikariDataSource pool(int i) {
        var config = new HikariConfig();
        config.setJdbcUrl(routes.get(i).url() + (i % 2 == 0 ? "" : "&socketTimeout=2"));
        config.setMaximumPoolSize(6);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(2_000);
        config.setValidationTimeout(500);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        closed = true;
        stop();
    }

    private record Running(Relay relay, HikariDataSource pool) implements AutoCloseable {
        @Override
        public void close() {
            relay.close();
            pool.close();
        }
    }
}
