package dev.waybill.servicebus.publisher;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to connect to one entity. Each attempt has a thread, because connecting may block, as for credentials. Callers wait
 * for the current attempt without a thread, at most {@code patience}. Thread-safe.
 *
 * <p>A hanging thread cannot be ended. The next attempt uses another one, after a delay that doubles, up to
 * {@link #MOST_THREADS}. A late connection is still used, because nothing was sent on it (docs/contributing/design/batches.md).
 */
final class Connecting {
    /** Reached after about an hour, with the default patience of 30 s. */
    static final int MOST_THREADS = 8;

    private final Duration patience;
    private final LongSupplier nanoTime;
    private CompletableFuture<Sender> latest = CompletableFuture.failedFuture(new IllegalStateException("not begun"));
    private long begunAt;
    private int threads;

    Connecting(Duration patience, LongSupplier nanoTime) {
        this.patience = patience;
        this.nanoTime = nanoTime;
    }

    /** Fails after the patience. {@code connect} returns an existing connection or makes one, and may block. */
    CompletableFuture<Sender> join(Supplier<Sender> connect) {
        @Nullable Attempt begun = null;
        CompletableFuture<Sender> joined;
        synchronized (this) {
            if (latest.isDone()) {
                if (!mayBegin()) {
                    return CompletableFuture.failedFuture(silence());
                }
                begun = begin(connect);
            }
            joined = latest;
        }
        if (begun != null) {
            begun.start();
        }
        return joined;
    }

    private boolean mayBegin() {
        if (threads == 0) {
            return true;
        }
        long rest = patience.toNanos() << (threads - 1);
        return threads < MOST_THREADS && nanoTime.getAsLong() - begunAt >= rest;
    }

    private Attempt begin(Supplier<Sender> connect) {
        latest = new CompletableFuture<>();
        begunAt = nanoTime.getAsLong();
        threads++;
        return new Attempt(connect, latest);
    }

    private synchronized void ended() {
        threads--;
    }

    private TimeoutException silence() {
        return new TimeoutException("The connection could not be made within " + patience.toMillis() / 1000.0
                + " s: the call that connects or gets credentials has not returned");
    }

    private final class Attempt implements Runnable {
        private final Supplier<Sender> connect;
        private final CompletableFuture<Sender> result;

        Attempt(Supplier<Sender> connect, CompletableFuture<Sender> result) {
            this.connect = connect;
            this.result = result;
        }

        void start() {
            CompletableFuture.delayedExecutor(patience.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(() -> result.completeExceptionally(silence()));
            try {
                var thread = new Thread(this, "waybill-relay-connecting");
                thread.setDaemon(true);
                thread.start();
            } catch (Throwable e) {
                // Out of threads.
                ended();
                result.completeExceptionally(e);
            }
        }

        @Override
        public void run() {
            @Nullable Sender made = null;
            Throwable failure = new IllegalStateException("There is no connection");
            try {
                made = connect.get();
            } catch (Throwable e) {
                failure = e;
            }
            // Before the waiting senders, who may connect again on this thread.
            ended();
            if (made == null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(made);
            }
        }
    }
}
