package dev.waybill.proof.role;

import dev.waybill.outbox.Outbox;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** A transaction that stays open after its append, in a session of its own. Relays must neither wait for it nor pass it by. */
final class LongTransaction {
    private final DataSource pool;
    private final Outbox outbox;
    private final String name;
    private final long seconds;
    private int count;

    LongTransaction(DataSource pool, String name, long seconds) {
        this.pool = pool;
        this.outbox = Outbox.of(pool);
        this.name = name;
        this.seconds = seconds;
    }

    void run(BooleanSupplier ended) throws SQLException {
        var transfer = new Transfer("t-" + name + "-long-" + count++, "long-" + name, 100);
        try (var tx = pool.getConnection()) {
            tx.setAutoCommit(false);
            Transfers.execute(tx, "set local idle_in_transaction_session_timeout = 0");
            outbox.append(tx, Transfers.message(transfer));
            Transfers.book(tx, transfer, "long", "bank-long");
            for (int i = 0; i < seconds * 10 && !ended.getAsBoolean(); i++) {
                LockSupport.parkNanos(100_000_000);
            }
            tx.commit();
        }
    }
}
