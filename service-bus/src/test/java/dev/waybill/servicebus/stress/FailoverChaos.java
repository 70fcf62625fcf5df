package dev.waybill.servicebus.stress;

import dev.waybill.embedded.postgres.Flow;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes events happen, one begun after the other. Flows that went silent are cut or go on later, beside other events. */
final class FailoverChaos implements AutoCloseable {
    private final ServerPair servers;
    private final Routes routes;
    private final Relays relays;
    private final EmbeddedServiceBus bus;
    private final Random random;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final List<Future<?>> ends = new ArrayList<>();
    private final List<Flow> hung = new ArrayList<>();
    private final Map<FailoverEvent, Integer> counts = new EnumMap<>(FailoverEvent.class);

    FailoverChaos(ServerPair servers, Routes routes, Relays relays, EmbeddedServiceBus bus, Random random) {
        this.servers = servers;
        this.routes = routes;
        this.relays = relays;
        this.bus = bus;
        this.random = random;
    }

    void make(FailoverEvent event) throws SQLException, IOException {
        switch (event) {
            case PROMOTE -> servers.failOver();
            case PROMOTE_LAGGING -> promoteLagging();
            case PROMOTE_BESIDE_FROZEN -> servers.failOverFromFrozen(() -> rest(0, 1_000), () -> rest(100, 800));
            case SWITCH_OVER -> switchOver();
            case HANG_RELAY -> hang(anyRelay());
            case SILENCE_RELAY -> silence(anyRelay());
            case HANG_WRITERS -> hang(routes.writers());
            case LAG -> servers.lagOrCatchUp();
            case RESTART_PRIMARY -> servers.restart();
            case DROP_BROKER_CONNECTIONS -> bus.dropConnections();
            case REPLACE_RELAY -> relays.replace(random.nextInt(routes.relays().size()));
            case RESTORE -> servers.restoreElsewhere();
        }
        counts.merge(event, 1, Integer::sum);
    }

    /** Waits until hung connections have ended or gone on. */
    void calm() throws InterruptedException, ExecutionException {
        for (Future<?> end : ends) {
            end.get();
        }
        routes.all().forEach(Route::resume);
    }

    /** How many standbys were promoted and connections hung, and how often each event has happened. */
    String summary() {
        return promotions() + " promotions, " + hungConnections() + " connections hung, " + counts;
    }

    int promotions() {
        return counts.entrySet().stream()
                .filter(count -> count.getKey().isPromotion())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    int hungConnections() {
        return hung.size();
    }

    private void promoteLagging() throws SQLException {
        if (!servers.isLagging()) {
            servers.lagOrCatchUp();
        }
        rest(200, 800);
        servers.failOver();
    }

    private void switchOver() throws SQLException {
        servers.catchUp();
        servers.failOver();
    }

    private Route anyRelay() {
        return routes.relays().get(random.nextInt(routes.relays().size()));
    }

    private void hang(Route route) {
        boolean all = random.nextBoolean();
        boolean resumes = random.nextBoolean();
        var flows = route.flows().stream()
                .filter(flow -> all || random.nextBoolean())
                .toList();
        flows.forEach(Flow::silence);
        hung.addAll(flows);
        later(200, 3_000, () -> flows.forEach(resumes ? Flow::resume : Flow::cut));
    }

    private void silence(Route route) {
        hung.addAll(route.flows());
        route.silence();
        later(2_000, 3_500, route::resume);
    }

    private void later(int fromMillis, int toMillis, Runnable task) {
        ends.add(later.schedule(task, random.nextInt(fromMillis, toMillis), TimeUnit.MILLISECONDS));
    }

    void rest(int fromMillis, int toMillis) {
        LockSupport.parkNanos(
                Duration.ofMillis(random.nextInt(fromMillis, toMillis)).toNanos());
    }

    @Override
    public void close() {
        later.shutdownNow();
    }
}
