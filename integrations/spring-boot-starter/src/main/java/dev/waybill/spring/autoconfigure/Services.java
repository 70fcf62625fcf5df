package dev.waybill.spring.autoconfigure;

import static java.time.temporal.ChronoUnit.FOREVER;

import dev.waybill.supervision.DeferredInterrupts;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops with the context. Consumers start last and stop first; the relay stops after the web server, so
 * that what the last requests append is published.
 */
abstract class Services implements SmartLifecycle, DisposableBean {
    /** After all that handlers may need. */
    static final int CONSUMERS = SmartLifecycle.DEFAULT_PHASE;

    /** Before Boot's web server, which begins 2,048 before the last phase. */
    static final int RELAY = SmartLifecycle.DEFAULT_PHASE - 4_096;

    /** Before all others. */
    static final int TABLES = RELAY - 1;

    private final int phase;
    private final boolean autoStartup;

    /** @param autoStartup whether they start with the context, or when somebody calls {@link #start} */
    Services(int phase, boolean autoStartup) {
        this.phase = phase;
        this.autoStartup = autoStartup;
    }

    abstract List<? extends Service<?>> all();

    @Override
    public void start() {
        all().forEach(Service::start);
    }

    // Side by side: each may take its time.
    @Override
    public void stop() {
        var left = new CountDownLatch(all().size());
        for (Service<?> service : all()) {
            var thread = new Thread(
                    () -> {
                        try {
                            service.stop();
                        } finally {
                            left.countDown();
                        }
                    },
                    "waybill-stop-" + service.name());
            thread.setDaemon(true);
            thread.start();
        }
        try (var interrupts = new DeferredInterrupts()) {
            // Each of them ends within its own bounds. The pool is closed as soon as this returns.
            boolean unused = interrupts.await(FOREVER.getDuration(), nanos -> left.await(nanos, TimeUnit.NANOSECONDS));
        }
    }

    // Spring waits for the callback no longer than it has been told to, and stops the next phase then.
    @Override
    public void stop(Runnable callback) {
        var thread = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run();
                    }
                },
                "waybill-stop");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public boolean isRunning() {
        return all().stream().anyMatch(Service::isStarted);
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    // A context that fails while it starts does not stop what has started already. One that an interrupted thread
    // closes waits for no callback, and the pool is closed next. One whose time is over waits no longer.
    @Override
    public void destroy() {
        if (isRunning() || Thread.currentThread().isInterrupted()) {
            stop();
        }
    }
}
