package dev.waybill.servicebus.stress;

import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.relay.OutboxHistory;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.exception.DataAccessException;
import org.postgresql.ds.PGSimpleDataSource;

/** Stops all relays when their database says that its history has changed, rebases the outbox and starts them again. */
final class RebasingOperator {
    private static final String HALT = """
            select coalesce((select found_at || ': ' || evidence from waybill.outbox_halt), '')
            """;

    private final ServerPair servers;
    private final Relays relays;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "operator");
    private final Set<String> halts = new LinkedHashSet<>();
    private boolean atWork;
    private int rebases;

    RebasingOperator(ServerPair servers, Relays relays) {
        this.servers = servers;
        this.relays = relays;
        thread.start();
    }

    /** How many stops there have been. */
    synchronized int halts() {
        return halts.size();
    }

    synchronized int rebases() {
        return rebases;
    }

    /** Whether no relay has been stopped that is to be started again. */
    synchronized boolean isIdle() {
        return !atWork;
    }

    void leave() throws InterruptedException {
        stop.countDown();
        thread.join();
    }

    private void run() {
        try {
            while (!stop.await(150, TimeUnit.MILLISECONDS)) {
                try {
                    look(servers.primary());
                } catch (SQLException | DataAccessException e) {
                    // The primary has just gone; the next one is asked.
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(PostgresNode primary) throws SQLException, InterruptedException {
        String halt = primary.value(HALT);
        if (!halt.isEmpty()) {
            begin(halt);
            relays.stop();
            rebase(primary);
        }
        if (!isIdle()) {
            relays.start();
            end();
        }
    }

    // A relay that could not sign off keeps its leases until they have run out.
    private void rebase(PostgresNode primary) throws InterruptedException {
        var database = new PGSimpleDataSource();
        database.setUrl(primary.jdbcUrl() + "&connectTimeout=2&socketTimeout=30");
        do {
            try {
                OutboxHistory.of(database, SchemaName.DEFAULT).rebase();
                synchronized (this) {
                    rebases++;
                }
                return;
            } catch (DataAccessException e) {
                throw e;
            } catch (IllegalStateException e) {
                // Somebody holds a lease.
            }
        } while (!stop.await(150, TimeUnit.MILLISECONDS));
    }

    private synchronized void begin(String halt) {
        atWork = true;
        if (halts.add(halt)) {
            System.out.println("Halt found at " + halt);
        }
    }

    private synchronized void end() {
        atWork = false;
    }
}
