package dev.waybill.spring.tenants;

import static java.util.Comparator.comparingLong;

import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.BoundedConnections;
import dev.waybill.supervision.BoundedWaits;
import dev.waybill.supervision.DeferredInterrupts;
import dev.waybill.supervision.KeepAlive;
import dev.waybill.supervision.StopSignal;
import dev.waybill.supervision.SupervisedLoop;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Publishes the outboxes of all tenants, one tenant after the other. Thread-safe. */
public final class TenantRelays implements AutoCloseable {
    /** For a turn, before the next tenant's begins beside it. */
    private static final long PATIENCE_SECONDS = 2;

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final int MOST_NAMES = 5;

    private final List<TenantRelay> relays;
    private final Work work;
    private final BoundedWaits waits = new BoundedWaits();
    private final StopSignal signal = new StopSignal();
    private final ExecutorService threads = Executors.newCachedThreadPool(TenantRelays::daemon);
    private final SupervisedLoop loop;
    private final KeepAlive alive = KeepAlive.start("waybill-tenants-alive");

    /**
     * What each tenant's relay does.
     *
     * @param relay builds one on a data source, with a publisher
     * @param publisher of all, closed with them
     * @param lease of a turn, which lasts at most three quarters of it
     * @param longestRest the longest time between two looks at an idle tenant
     */
    public record Work(
            SchemaName schema,
            Set<String> destinations,
            BiFunction<DataSource, Publisher, Relay.Builder> relay,
            Publisher publisher,
            Duration lease,
            Duration longestRest) {}

    private TenantRelays(Tenants tenants, Work work) {
        this.work = work;
        var look = new Look(work.schema(), work.destinations());
        relays = tenants.all().stream().map(tenant -> relay(tenant, look)).toList();
        loop = new SupervisedLoop(
                "waybill-tenants", this::turn, new BackOff(AFTER_FAILURE, AFTER_FAILURE), signal, () -> {});
    }

    /** Starts with a look at each. A database that is away delays no other. */
    public static TenantRelays start(Tenants tenants, Work work) {
        var started = new TenantRelays(tenants, work);
        started.loop.start();
        return started;
    }

    private TenantRelay relay(Tenant tenant, Look look) {
        var pool = new BoundedConnections(tenant.dataSource(), waits);
        return new TenantRelay(
                tenant,
                () -> look(look, pool),
                () -> work.relay()
                        .apply(pool, new SharedPublisher(work.publisher()))
                        .tuning(tuning -> tuning.listening(false).singleConnection(true))
                        .build(),
                work.longestRest());
    }

    private static OptionalLong look(Look look, DataSource pool) {
        try {
            return look.millisUntilDue(pool);
        } catch (SQLException e) {
            throw new DataAccessException("The relay could not look for messages: " + e.getMessage(), e);
        }
    }

    // Ends early after a wake-up, and after each turn that went on by itself.
    private Duration turn() throws InterruptedException, ExecutionException {
        TenantRelay next =
                relays.stream().min(comparingLong(TenantRelay::dueIn)).orElseThrow();
        Duration rest = Duration.ofNanos(Math.min(next.dueIn(), LONGEST_PAUSE.toNanos()));
        if (rest.isZero()) {
            next.begin();
            await(threads.submit(() -> {
                next.run();
                signal.wake();
            }));
        }
        return rest;
    }

    private static void await(Future<?> turn) throws InterruptedException, ExecutionException {
        try {
            turn.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            // It goes on: its tenant has no other turn meanwhile.
        }
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "waybill-tenant");
        thread.setDaemon(true);
        return thread;
    }

    /** Takes the turn of the tenant with this database now. Neither blocks nor throws. */
    public void wake(String url) {
        List<TenantRelay> there = at(url);
        (there.isEmpty() ? at(null) : there).forEach(TenantRelay::wake);
        signal.wake();
    }

    // With null, those whose databases have not been reached yet.
    private List<TenantRelay> at(@Nullable String url) {
        return relays.stream()
                .filter(relay -> Objects.equals(relay.tenant().url(), url))
                .toList();
    }

    /** What does not work, in words; empty if all tenants' last turns have succeeded. */
    public String trouble() {
        List<TenantRelay> failing =
                relays.stream().filter(relay -> relay.trouble() != null).toList();
        if (failing.isEmpty()) {
            return "";
        }
        return failing.size() + " of " + relays.size() + " tenants wait: "
                + failing.stream()
                        .limit(MOST_NAMES)
                        .map(relay -> relay.tenant().name() + " (" + relay.trouble() + ")")
                        .collect(Collectors.joining(", "))
                + (failing.size() > MOST_NAMES ? ", ..." : "");
    }

    /** Whether at least one tenant's last turn has not failed. */
    public boolean isHealthy() {
        return relays.stream().anyMatch(relay -> relay.trouble() == null);
    }

    /** Lets the turns under way end, and closes the publisher. Waits for a database that is away 5 s at most. */
    @Override
    public void close() {
        Duration patience = work.publisher().longestSend().plus(work.lease());
        signal.stop();
        BoundedWaits.Limit limit = waits.limit(BoundedWaits.AT_A_STOP);
        try (var interrupts = new DeferredInterrupts()) {
            loop.join(patience);
            threads.shutdown();
            boolean unused = interrupts.await(patience, nanos -> threads.awaitTermination(nanos, TimeUnit.NANOSECONDS));
        } finally {
            limit.close();
            work.publisher().close();
            alive.close();
        }
    }
}
