package dev.waybill.relay;

import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jooq.ConnectionProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes as many connections at once as a relay keeps, and gives them back, to know whether the pool has them. A relay that has one
 * too few would say so by nothing but its silence.
 */
final class PoolCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PoolCheck.class);

    private final ConnectionProvider pool;
    private final int needed;
    private final Semaphore taken = new Semaphore(0);
    private final List<Connection> connections = new ArrayList<>();
    private boolean over;

    private PoolCheck(ConnectionProvider pool, int needed) {
        this.pool = pool;
        this.needed = needed;
    }

    /**
     * Logs how many connections there are if there are too few: more may come, for others use the pool too.
     *
     * @param patience for one more connection
     * @throws IllegalStateException if the pool gives the same connection to two at once
     */
    static void run(ConnectionProvider pool, int needed, Duration patience) throws InterruptedException {
        var check = new PoolCheck(pool, needed);
        int found;
        try {
            found = check.takeAll(patience);
        } finally {
            check.giveBack();
        }
        if (found < needed) {
            LOG.warn(
                    "The pool gives {} connections, the relay needs {}: one for its loop, one for its heartbeat, one for"
                            + " scheduled messages, and one to be woken. With fewer, they wait for each other. If others"
                            + " use the pool as well, it needs so many more",
                    found,
                    needed);
        }
    }

    private int takeAll(Duration patience) throws InterruptedException {
        var thread = new Thread(this::take, "waybill-relay-pool-check");
        thread.setDaemon(true);
        thread.start();
        int count = 0;
        while (count < needed && taken.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            count++;
        }
        return count;
    }

    private void take() {
        try {
            for (int count = 0; count < needed && keep(Objects.requireNonNull(pool.acquire())); count++) {
                taken.release();
            }
        } catch (RuntimeException e) {
            LOG.debug("The pool gives no more connections", e);
        }
    }

    private synchronized boolean keep(Connection connection) {
        if (over) {
            release(connection);
            return false;
        }
        return connections.add(connection);
    }

    private synchronized void giveBack() {
        over = true;
        boolean shared = isShared();
        connections.forEach(this::release);
        connections.clear();
        if (shared) {
            throw new IllegalStateException(
                    "The data source gives the same connection to two callers at once; a relay needs a pool");
        }
    }

    // One that has broken meanwhile keeps none of the others from their pool.
    private void release(Connection connection) {
        try {
            pool.release(connection);
        } catch (RuntimeException e) {
            LOG.debug("A connection could not be given back", e);
        }
    }

    private boolean isShared() {
        List<Connection> known = connections.stream()
                .map(DriverConnection::behind)
                .filter(Objects::nonNull)
                .toList();
        return known.stream().distinct().count() < known.size();
    }
}
