package dev.waybill.servicebus.publisher;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The attempts to make the connection of one path. Each has a thread of its own, because what makes the connection may block,
 * as for credentials; whoever needs the connection waits for the attempt under way, without a thread, and not longer than the
 * patience. Thread-safe.
 *
 * <p>A thread that hangs cannot be ended. It is given up, and the next attempt has another one. There are at most
 * {@link #MOST_THREADS}, and each comes after twice the time of the one before. A connection that is made late counts all the
 * same: nothing was sent by it (docs/contributing/design/batches.md).
 */
final class Connecting {
    /** Over about an hour, with the default patience of 30 s. */
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

    /**
     * The connection; a failure within the patience if there is none by then.
     *
     * @param connect gives the connection that there is, or makes it; may block
     */
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
                + " s: what makes it, such as the credentials, has not returned");
    }

    /** One call of that which makes the connection. */
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
                // No more threads.
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
            // Before others go on, who may come here again on this thread.
            ended();
            if (made == null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(made);
            }
        }
    }
}
