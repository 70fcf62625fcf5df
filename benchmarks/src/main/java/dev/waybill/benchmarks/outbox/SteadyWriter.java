package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jooq.DSLContext;

/** Writes messages at a fixed rate until it is closed, those of an account to one destination. */
final class SteadyWriter implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final Business business;
    private final DSLContext dsl;
    private final long intervalNanos;
    private final List<String> destinations;
    private final Waits waits;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<?> done;
    private volatile boolean stopped;

    private SteadyWriter(OutboxSchema schema, List<String> destinations, int perSecond, Waits waits) {
        business = new Business(schema);
        dsl = OutboxSchema.dsl(schema.pool("writer", 1));
        intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.destinations = destinations;
        this.waits = waits;
        done = thread.submit(this::write);
        thread.shutdown();
    }

    static SteadyWriter start(OutboxSchema schema, List<String> destinations, int perSecond, Waits waits) {
        return new SteadyWriter(schema, destinations, perSecond, waits);
    }

    private void write() {
        long next = System.nanoTime();
        for (int i = 0; !stopped; i++) {
            String reference = "h-" + i;
            int account = i % Business.ACCOUNTS;
            String destination = destinations.get(account % destinations.size());
            dsl.transaction(tx -> business.append(tx.dsl(), destination, account, reference));
            waits.committed(reference, System.nanoTime());
            next += intervalNanos;
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    /** A writer that has failed has measured nothing. */
    void requireHealthy() {
        if (done.isDone()) {
            throw new IllegalStateException("The writer has ended early");
        }
    }

    @Override
    public void close() {
        stopped = true;
        try {
            done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("The writer has failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
