package dev.waybill.standalone.health;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for probes, each with a time limit. The JDK's server reads a request in its worker thread, so that half a request
 * would block it forever. Its own limits are global system properties.
 */
final class ProbeThreads implements Executor, AutoCloseable {
    /** This many slow clients may connect before probes wait: a port scanner must not cause a restart. */
    private static final int MOST_THREADS = 32;

    private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(5);

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST_THREADS, MOST_THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ProbeThreads::daemon);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(ProbeThreads::daemon);

    ProbeThreads() {
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable exchange) {
        threads.execute(() -> {
            // An interrupt closes the connection, see java.nio.channels.InterruptibleChannel.
            Runnable interrupt = Thread.currentThread()::interrupt;
            ScheduledFuture<?> end = clock.schedule(interrupt, LONGEST_EXCHANGE.toMillis(), TimeUnit.MILLISECONDS);
            try {
                exchange.run();
            } finally {
                end.cancel(false);
            }
        });
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "waybill-probes");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        clock.shutdownNow();
    }
}
