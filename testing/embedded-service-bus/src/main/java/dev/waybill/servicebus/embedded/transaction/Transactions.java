package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.Timers;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

public final class Transactions {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Timers deadlines;
    private final OpenTransactions all;
    private final Map<ByteBuffer, Open> open = new HashMap<>();
    private long lastId;

    public Transactions(Timers deadlines, OpenTransactions all) {
        this.deadlines = deadlines;
        this.all = all;
    }

    private record Open(Transaction transaction, Object opener, Timers.Timer timeout) {}

    /**
     * Opens a transaction and returns its id.
     *
     * @param opener identifies the transactions to roll back together
     * @throws Refused if too many are open
     */
    public byte[] declare(Object opener) {
        all.begin(open.size());
        byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(++lastId).array();
        Timers.Timer timeout = deadlines.in(TIMEOUT.toMillis(), () -> rollBack(ByteBuffer.wrap(id)));
        open.put(ByteBuffer.wrap(id), new Open(new Transaction(all), opener, timeout));
        return id;
    }

    public Transaction get(ByteBuffer id) {
        Open found = open.get(id);
        if (found == null) {
            throw unknown();
        }
        return found.transaction;
    }

    /** Throws if the transaction is unknown or cannot be committed. */
    public void discharge(ByteBuffer id, boolean commit) {
        Transaction found = close(id);
        if (found == null) {
            throw unknown();
        }
        if (commit) {
            found.commit();
        } else {
            found.rollBack();
        }
    }

    public void rollBack(ByteBuffer id) {
        Transaction found = close(id);
        if (found != null) {
            found.rollBack();
        }
    }

    private @Nullable Transaction close(ByteBuffer id) {
        Open found = open.remove(id);
        if (found == null) {
            return null;
        }
        found.timeout.cancel();
        all.end(found.transaction.bytes());
        return found.transaction;
    }

    public void rollBackAll(Object opener) {
        List.copyOf(open.entrySet()).stream()
                .filter(entry -> entry.getValue().opener == opener)
                .forEach(entry -> rollBack(entry.getKey()));
    }

    public void rollBackAll() {
        List.copyOf(open.keySet()).forEach(this::rollBack);
    }

    private static Refused unknown() {
        return new Refused(BrokerError.TRANSACTION_UNKNOWN, "The transaction is not known, or it has timed out.");
    }
}
