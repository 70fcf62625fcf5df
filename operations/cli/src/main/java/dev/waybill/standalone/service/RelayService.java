package dev.waybill.standalone.service;

import dev.waybill.relay.Publisher;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.NextStep;
import dev.waybill.standalone.config.ProcessSettings;
import dev.waybill.standalone.config.ProgramVersion;
import dev.waybill.standalone.console.Console;
import dev.waybill.standalone.health.HealthCheck;
import dev.waybill.standalone.health.Probes;
import dev.waybill.standalone.health.ProcessHealth;
import dev.waybill.standalone.metrics.Registries;
import dev.waybill.standalone.scale.ScaleFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The relays of the process with console, probes and metrics. It starts and stops once. */
public final class RelayService {
    private static final Logger LOG = LoggerFactory.getLogger(RelayService.class);

    private final Configuration configuration;
    private final Registries registries;
    private final List<DatabaseRelay> relays;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch hopeless = new CountDownLatch(1);
    private final Probes probes;
    private @Nullable Console console;

    private RelayService(Configuration configuration, UnaryOperator<Publisher> tracing) {
        this.configuration = configuration;
        ProcessSettings process = configuration.process();
        registries = new Registries(process, ProgramVersion.text(), this::hideOldFigures);
        var builder = new DatabaseRelays(configuration, registries.all(), tracing);
        relays = configuration.databases().stream().map(builder::of).toList();
        probes = Probes.serve(
                process.http().bind(),
                process.http().port(),
                new Health(),
                registries::scrape,
                new ScaleFigures(configuration, this::waitingDestinations));
    }

    private Map<String, OptionalLong> waitingDestinations() {
        return relays.stream().collect(Collectors.toMap(DatabaseRelay::name, DatabaseRelay::waitingDestinations));
    }

    /**
     * Starts all parts, and waits for unavailable databases and brokers.
     *
     * @param tracing wraps the publishers
     * @throws ConfigException if nothing is configured to publish
     */
    public static RelayService start(Configuration configuration, UnaryOperator<Publisher> tracing) {
        if (configuration.databases().isEmpty()
                || configuration.destinations().isEmpty()
                || configuration.namespaces().isEmpty()) {
            throw new ConfigException("A relay needs at least one database.NAME.url, one namespace.NAME and one"
                    + " destination.NAME. " + NextStep.configuration());
        }
        StartupLog.tell(configuration);
        var service = new RelayService(configuration, tracing);
        service.startThreads();
        LOG.info(
                "Instance '{}' serves probes and metrics on {}:{}",
                configuration.process().instance(),
                configuration.process().http().bind(),
                service.probes.port());
        service.serveConsole();
        return service;
    }

    // A relay must publish even if its console fails.
    private void serveConsole() {
        if (configuration.console().enabled()) {
            try {
                console = Console.start(configuration);
            } catch (RuntimeException e) {
                LOG.error("Console not started, the relays run: {}", e.getMessage());
            }
        }
    }

    private void hideOldFigures() {
        relays.forEach(DatabaseRelay::hideOldFigures);
    }

    private void startThreads() {
        for (DatabaseRelay relay : relays) {
            threads.add(thread("start-" + relay.name(), () -> startUntilStarted(relay)));
            threads.add(thread("look-" + relay.name(), () -> lookUntilStopped(relay)));
        }
        threads.forEach(Thread::start);
    }

    private static Thread thread(String name, Runnable work) {
        var thread = new Thread(work, "waybill-" + name);
        thread.setDaemon(true);
        return thread;
    }

    private void startUntilStarted(DatabaseRelay relay) {
        Duration rest = relay.start();
        while (!rest.isZero() && !isStopping(rest)) {
            rest = relay.start();
        }
        if (relay.isHopeless()) {
            hopeless.countDown();
        }
    }

    /** Waits until a relay finds that no retry can help. */
    public void awaitHopeless() throws InterruptedException {
        hopeless.await();
    }

    public boolean isHopeless() {
        return hopeless.getCount() == 0;
    }

    private void lookUntilStopped(DatabaseRelay relay) {
        do {
            relay.look();
        } while (!isStopping(configuration.process().metrics().interval()));
    }

    private boolean isStopping(Duration rest) {
        try {
            return stopping.await(rest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    public int port() {
        return probes.port();
    }

    /**
     * Settles messages in flight and releases all leases within the deadline.
     *
     * @return false if leases must expire before other relays take over
     */
    public boolean stop() {
        long begun = System.nanoTime();
        LOG.info(
                "Shutdown requested: settling messages in flight and releasing leases, within {} s",
                configuration.process().shutdownDeadline().toSeconds());
        stopping.countDown();
        List<Thread> drains = relays.stream()
                .map(relay -> thread("drain-" + relay.name(), relay::handOver))
                .toList();
        drains.forEach(Thread::start);
        @Nullable Console served = console;
        if (served != null) {
            served.close();
        }
        boolean drained = join(drains, configuration.process().shutdownDeadline());
        probes.close();
        registries.close();
        if (drained) {
            LOG.info(
                    "Shutdown complete: messages settled and leases released after {} ms",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        } else {
            LOG.error(
                    "Shutdown timed out after {} s: {} still active; other relays take over when the leases expire",
                    configuration.process().shutdownDeadline().toSeconds(),
                    drains.stream().filter(Thread::isAlive).map(Thread::getName).toList());
        }
        return drained;
    }

    private static boolean join(List<Thread> threads, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return threads.stream().noneMatch(Thread::isAlive);
    }

    private final class Health implements ProcessHealth {
        @Override
        public List<HealthCheck> startup() {
            return relays.stream().map(DatabaseRelay::startup).toList();
        }

        @Override
        public List<HealthCheck> readiness() {
            var checks = new ArrayList<>(startup());
            checks.add(new HealthCheck(
                    "process", stopping.getCount() > 0, stopping.getCount() > 0 ? "running" : "draining"));
            relays.forEach(relay -> {
                checks.add(relay.databaseReadiness());
                checks.add(relay.brokerReadiness());
            });
            return checks;
        }
    }
}
