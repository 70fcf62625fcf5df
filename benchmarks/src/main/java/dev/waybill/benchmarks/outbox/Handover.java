package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.embedded.postgres.Flow;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Relay;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** A relay in this process that stays, and one in another that comes and goes, while messages are written all the time. */
final class Handover {
    static final int RATE = 100;

    /** A destination has one owner: two relays share several. */
    static final List<String> DESTINATIONS = List.of("bench-0", "bench-1", "bench-2", "bench-3");

    private static final int CONNECTIONS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BROKER = Duration.ofMillis(10);
    private static final Pattern ADDRESS = Pattern.compile("//([^/:?]+)(?::(\\d+))?/");

    private final OutboxSchema schema;
    private final Waits waits = new Waits();
    private final AtomicLong heardFromChild = new AtomicLong();
    private final Duration lease;
    private final Duration patienceBeyondLease;
    private final int settleSeconds;

    Handover(OutboxSchema schema, Scale scale) {
        this.schema = schema;
        lease = scale == Scale.SMOKE ? Duration.ofSeconds(2) : ChildRelay.DEFAULT_LEASE;
        patienceBeyondLease = patienceBeyondLease(scale);
        settleSeconds = scale.choose(5, 3, 1);
    }

    static Duration patienceBeyondLease(Scale scale) {
        return Duration.ofSeconds(scale.choose(30, 30, 4));
    }

    Round round() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(address());
                var writer = SteadyWriter.start(schema, DESTINATIONS, RATE, waits);
                Relay first = first()) {
            first.start();
            settle();
            long start = System.nanoTime();
            ChildRelay second = startSecond(proxy);
            try {
                double join = longestSince(start);
                start = System.nanoTime();
                second.close();
                double leave = longestSince(start);
                second = startSecond(proxy);
                settle();
                start = System.nanoTime();
                second.close();
                second = startSecond(proxy);
                double restart = longestSince(start);
                return new Round(join, leave, restart, hang(proxy));
            } finally {
                second.kill();
                writer.requireHealthy();
            }
        }
    }

    private Relay first() {
        var builder = Relay.builder(schema.pool("first", CONNECTIONS))
                .schema(schema.name())
                .tuning(tuning -> tuning.leaseDuration(lease))
                .publisher(new DelayedPublisher(BROKER, this::published));
        DESTINATIONS.forEach(builder::destination);
        return builder.build();
    }

    private void published(List<OutboxRow> rows) {
        long now = System.nanoTime();
        rows.forEach(row -> waits.published(row.messageId(), now));
    }

    /** Returns when it has its share of the work. */
    private ChildRelay startSecond(TcpProxy proxy) throws IOException, InterruptedException, TimeoutException {
        String url = ADDRESS.matcher(schema.urlFor("second")).replaceFirst("//127.0.0.1:" + proxy.port() + "/");
        long before = heardFromChild.get();
        ChildRelay child = ChildRelay.start(url, schema, RelayProcess.NO_BROKER, lease, (reference, nanoTime) -> {
            waits.published(reference, nanoTime);
            heardFromChild.incrementAndGet();
        });
        if (!await(PATIENCE, () -> heardFromChild.get() > before)) {
            child.kill();
            throw new TimeoutException("The second relay gets nothing to do");
        }
        return child;
    }

    private double longestSince(long start) throws InterruptedException, TimeoutException {
        settle();
        return waits.longestMillis(start, System.nanoTime());
    }

    // Some time of rest, and then everything so far published.
    private void settle() throws InterruptedException, TimeoutException {
        TimeUnit.SECONDS.sleep(settleSeconds);
        long now = System.nanoTime();
        if (!await(PATIENCE, () -> waits.allPublished(now - PATIENCE.toNanos(), now))) {
            throw new TimeoutException("Not every message was published");
        }
    }

    private double hang(TcpProxy proxy) throws InterruptedException {
        Flow busiest = busiest(proxy);
        long start = System.nanoTime();
        busiest.silence();
        Duration patience = lease.plus(patienceBeyondLease);
        TimeUnit.MILLISECONDS.sleep(lease.toMillis());
        long end = System.nanoTime();
        boolean unused = await(patience.minus(lease), () -> waits.allPublished(start, end));
        return Math.max(0, waits.longestMillis(start, end) - lease.toMillis());
    }

    /** The connection that pages are read on carries most. */
    private static Flow busiest(TcpProxy proxy) throws InterruptedException {
        Map<Flow, Long> before = new HashMap<>();
        proxy.flows().forEach(flow -> before.put(flow, flow.bytes()));
        TimeUnit.SECONDS.sleep(1);
        return before.keySet().stream()
                .max(Comparator.comparingLong(flow -> flow.bytes() - before.getOrDefault(flow, 0L)))
                .orElseThrow(() -> new IllegalStateException("The second relay has no connection"));
    }

    private InetSocketAddress address() {
        var matcher = ADDRESS.matcher(schema.urlFor("second"));
        if (!matcher.find()) {
            throw new IllegalStateException("The database's URL names no host");
        }
        int port = matcher.group(2) == null ? 5432 : Integer.parseInt(matcher.group(2));
        return new InetSocketAddress(matcher.group(1), port);
    }

    private static boolean await(Duration patience, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return true;
    }

    /** Longest waits in milliseconds. */
    record Round(double join, double leave, double restart, double hangOverLease) {}
}
