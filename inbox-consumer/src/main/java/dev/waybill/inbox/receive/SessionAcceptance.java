package dev.waybill.inbox.receive;

import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.lock.Fences;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.transaction.DatabaseGate;
import java.sql.SQLException;

/** Takes over a session from the broker. Thread-safe. */
public record SessionAcceptance(MessageSource source, Fences fences, DatabaseGate gate, Reception reception) {
    // Throws LockLostException if this took longer than the session's lock lasts, or the database is unavailable.
    void accepted(Receiver receiver, InFlightWork work) {
        work.accepted(receiver);
        if (receiver.session().isEmpty()) {
            return;
        }
        try {
            work.fenced(fences.allocate(receiver.session().get()));
        } catch (SQLException e) {
            if (!DatabaseErrors.isDatabaseDown(e)) {
                throw new IllegalStateException("No fencing token could be allocated, so the session is given back", e);
            }
            gate.shut(e);
            throw new LockLostException("No fencing token could be allocated", e);
        }
        // A worker that paused before it allocated its token would have the highest token, although later owners came.
        work.requireFreshLock();
    }
}
