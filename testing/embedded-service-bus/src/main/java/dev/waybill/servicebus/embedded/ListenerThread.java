package dev.waybill.servicebus.embedded;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs users' listeners one after another, off the broker's thread; exists only while there are some to run. */
final class ListenerThread implements Executor, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ListenerThread.class);

    private final ThreadPoolExecutor executor;

    ListenerThread() {
        executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "embedded-service-bus-listeners");
            thread.setDaemon(true);
            return thread;
        });
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("A listener is not called: the broker is closing");
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
