package dev.waybill.relay.loop;

import dev.waybill.relay.lease.NewTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/** Transactions of all kinds, one after the other. */
final class HistoryWriter implements Runnable {
    private static final String[] DESTINATIONS = {"bills", "orders", "parcels"};
    private static final int SESSIONS = 24;

    private final NewTables tables;
    private final History history;
    private final Random random;
    private final AtomicBoolean stop;

    HistoryWriter(NewTables tables, History history, long seed, AtomicBoolean stop) {
        this.tables = tables;
        this.history = history;
        this.random = new Random(seed);
        this.stop = stop;
    }

    @Override
    public void run() {
        while (!stop.get()) {
            try (Connection tx = tables.open()) {
                try {
                    tables.execute(tx, "set local lock_timeout = '5s'");
                    if (transaction(tx)) {
                        tx.commit();
                    } else {
                        tx.rollback();
                    }
                } catch (SQLException e) {
                    // A deadlock or a time-out: as any application.
                    tx.rollback();
                }
                rest(20);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private boolean transaction(Connection tx) throws SQLException, InterruptedException {
        String destination = DESTINATIONS[random.nextInt(DESTINATIONS.length)];
        String session = "s" + random.nextInt(SESSIONS);
        int kind = random.nextInt(100);
        if (kind < 35) {
            history.append(tx, destination, session, false);
        } else if (kind < 45) {
            history.append(tx, destination, session, true);
        } else if (kind < 52) {
            history.append(tx, destination, null, true);
        } else if (kind < 60) {
            // An id long before the value.
            tables.execute(tx, "select pg_current_xact_id()");
            rest(700);
            history.append(tx, destination, session, false);
        } else if (kind < 68) {
            history.append(tx, destination, session, false);
            rest(900);
        } else if (kind < 78) {
            savepoints(tx, destination, session);
        } else if (kind < 84) {
            history.append(tx, destination, session, false);
            rest(400);
            return false;
        } else if (kind < 92) {
            several(tx, destination);
        } else if (kind < 94) {
            history.appendMany(tx, destination, "hot", 500);
        } else {
            // A transaction that only others notice.
            tables.execute(tx, "select pg_current_xact_id()");
            rest(900);
        }
        return true;
    }

    private void savepoints(Connection tx, String destination, String session)
            throws SQLException, InterruptedException {
        var savepoint = tx.setSavepoint();
        history.append(tx, destination, session, false);
        rest(20);
        if (random.nextBoolean()) {
            tx.rollback(savepoint);
        }
        tx.setSavepoint();
        history.append(tx, destination, session, random.nextBoolean());
        rest(random.nextInt(5) == 0 ? 500 : 1);
    }

    // In the order of their names, so that two seldom deadlock.
    private void several(Connection tx, String destination) throws SQLException, InterruptedException {
        for (int i = 10 + random.nextInt(3); i < 10 + SESSIONS; i += 7) {
            history.append(tx, destination, "s" + (i - 10), false);
            rest(150);
        }
    }

    private void rest(int mostMillis) throws InterruptedException {
        Thread.sleep(random.nextInt(mostMillis) + 1L);
    }
}
