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

/** Checks at the start that the pool has enough connections: a relay with too few would hang without an error. */
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

    /** Warns if the pool has too few connections; throws if it returns one connection to two callers. */
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
                    "The pool has {} free connections, and the relay needs {}: one each for its loop, its heartbeat,"
                            + " scheduled messages and LISTEN. Enlarge the pool by those that other components use,"
                            + " or these threads wait for each other",
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
            LOG.debug("The pool has no more connections", e);
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
                    "The data source returns one connection to two callers at once; a relay needs a pool");
        }
    }

    // A broken connection must not keep the others from the pool.
    private void release(Connection connection) {
        try {
            pool.release(connection);
        } catch (RuntimeException e) {
            LOG.debug("A connection could not be released", e);
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
