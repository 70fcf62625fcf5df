package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.entity.Refused;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.Timers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The open transactions of one connection. */
public final class Transactions {
    /** How long a transaction may stay open. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Timers deadlines;
    private final Map<ByteBuffer, Open> open = new HashMap<>();
    private long lastId;

    public Transactions(Timers deadlines) {
        this.deadlines = deadlines;
    }

    private record Open(Transaction transaction, Timers.Timer timeout) {}

    /** Opens a transaction and tells its id. */
    public byte[] declare() {
        byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(++lastId).array();
        Timers.Timer timeout = deadlines.in(TIMEOUT.toMillis(), () -> timedOut(id));
        open.put(ByteBuffer.wrap(id), new Open(new Transaction(), timeout));
        return id;
    }

    /** The open transaction of that id; refuses if there is none. */
    public Transaction get(ByteBuffer id) {
        Open found = open.get(id);
        if (found == null) {
            throw unknown();
        }
        return found.transaction;
    }

    /** Commits or rolls back; refuses if there is no such transaction, or if it cannot be committed. */
    public void discharge(ByteBuffer id, boolean commit) {
        Open found = open.remove(id);
        if (found == null) {
            throw unknown();
        }
        found.timeout.cancel();
        if (commit) {
            found.transaction.commit();
        } else {
            found.transaction.rollBack();
        }
    }

    private void timedOut(byte[] id) {
        rollBack(ByteBuffer.wrap(id));
    }

    /** Rolls back the transaction of that id, if it is still open. */
    public void rollBack(ByteBuffer id) {
        Open found = open.remove(id);
        if (found != null) {
            found.timeout.cancel();
            found.transaction.rollBack();
        }
    }

    /** The client has gone: nothing that is open will ever be committed. */
    public void rollBackAll() {
        List.copyOf(open.keySet()).forEach(this::rollBack);
    }

    private static Refused unknown() {
        return new Refused(BrokerError.TRANSACTION_UNKNOWN, "The transaction is not known, or it has timed out.");
    }
}
