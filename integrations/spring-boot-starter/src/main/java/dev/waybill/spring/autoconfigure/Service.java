package dev.waybill.spring.autoconfigure;

import dev.waybill.supervision.KeepAlive;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A relay or a consumer that is built anew at each start, because neither can be started twice. If the database
 * cannot be reached, the start goes on in the background. Thread-safe.
 *
 * @param <T> what is started
 */
final class Service<T extends AutoCloseable> {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);
    private static final Duration FIRST_REST = Duration.ofMillis(250);
    private static final Duration LONGEST_REST = Duration.ofSeconds(10);

    private final String name;
    private final Database database;
    private final Supplier<T> begin;
    private final ReentrantLock ending = new ReentrantLock();
    // Read without the lock, which a start holds while it waits for the database.
    private volatile @Nullable T running;
    private @Nullable CountDownLatch waiting;
    private @Nullable KeepAlive alive;
    private @Nullable String failure;

    /** @param begin builds and starts */
    Service(String name, Database database, Supplier<T> begin) {
        this.name = name;
        this.database = database;
        this.begin = begin;
    }

    String name() {
        return name;
    }

    /** The relay and consumers that run; null before the start, while the database is waited for, and after the stop. */
    @Nullable T running() {
        return running;
    }

    /** Why it does not run although it was started; null if it runs, or is stopped. */
    synchronized @Nullable String trouble() {
        if (waiting == null) {
            return null;
        }
        return failure != null ? failure : database.trouble();
    }

    /** Whether it was started and not stopped. */
    synchronized boolean isStarted() {
        return running != null || waiting != null;
    }

    /** @throws RuntimeException if the database can be reached and it does not start all the same */
    synchronized void start() {
        if (isStarted()) {
            return;
        }
        // One that has just been found away is not waited for once more in this thread.
        if (database.trouble() == null && database.isReady()) {
            startNow();
        }
        if (running == null) {
            var stop = new CountDownLatch(1);
            waiting = stop;
            alive = KeepAlive.start("waybill-waits-" + name);
            var thread = new Thread(() -> startLater(stop), "waybill-start-" + name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void startNow() {
        try {
            running = begin.get();
        } catch (RuntimeException e) {
            if (!Database.isAway(e)) {
                throw e;
            }
            LOG.warn("'{}' waits for the database: {}", name, RootCause.of(e));
        }
    }

    private void startLater(CountDownLatch stop) {
        Duration rest = FIRST_REST;
        try {
            while (!stop.await(rest.toNanos(), TimeUnit.NANOSECONDS) && !hasStarted(stop)) {
                rest = rest.multipliedBy(2).compareTo(LONGEST_REST) < 0 ? rest.multipliedBy(2) : LONGEST_REST;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // Not under the lock: health is asked meanwhile, and a stop comes through.
    private boolean hasStarted(CountDownLatch stop) {
        try {
            if (!database.isReady()) {
                return false;
            }
            accept(begin.get(), stop);
            return true;
        } catch (RuntimeException | Error e) {
            note(e);
            return false;
        }
    }

    private void accept(T started, CountDownLatch stop) {
        synchronized (this) {
            if (stop.getCount() > 0) {
                running = started;
                waitNoLonger();
                LOG.info("'{}' has started", name);
                return;
            }
        }
        close(started);
    }

    private synchronized void note(Throwable thrown) {
        String now = thrown.toString();
        if (!now.equals(failure)) {
            LOG.error(
                    "'{}' does not start, and is tried again: {}",
                    name,
                    RootCause.of(thrown),
                    RootCause.isOutside(thrown) ? null : thrown);
        }
        failure = now;
    }

    /** Lets what is under way end. If it is being stopped already, that is waited for. */
    void stop() {
        ending.lock();
        try {
            end();
        } finally {
            ending.unlock();
        }
    }

    private void end() {
        @Nullable T last;
        synchronized (this) {
            last = running;
            running = null;
            if (waiting != null) {
                waiting.countDown();
            }
            waitNoLonger();
        }
        if (last != null) {
            close(last);
        }
    }

    // The relay and the consumers keep the process alive from here on, each by itself.
    private void waitNoLonger() {
        waiting = null;
        failure = null;
        if (alive != null) {
            alive.close();
        }
        alive = null;
    }

    // Throws nothing, whatever the service throws: the beans after it in the context must still be stopped.
    private void close(T last) {
        try {
            last.close();
        } catch (Throwable e) {
            LOG.warn("'{}' has not stopped cleanly: {}", name, RootCause.of(e));
            LOG.debug("'{}' has not stopped cleanly", name, e);
        }
    }
}
