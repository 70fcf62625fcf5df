package dev.waybill.inbox.receive;

import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.lock.Fences;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.transaction.DatabaseGate;
import java.sql.SQLException;

/** The first steps with a session that the broker has given to this consumer. Thread-safe. */
public record SessionAcceptance(MessageSource source, Fences fences, DatabaseGate gate) {
    /**
     * Puts the receiver into the worker's hands; a session under a fencing token.
     *
     * @throws LockLostException if that took longer than the session's lock lasts, or the database cannot be
     *     reached
     */
    void accepted(Receiver receiver, InFlightWork work) {
        work.accepted(receiver);
        if (receiver.session().isEmpty()) {
            return;
        }
        try {
            work.fenced(fences.draw(receiver.session().get()));
        } catch (SQLException e) {
            if (!DatabaseErrors.isDatabaseDown(e)) {
                throw new IllegalStateException("No session can be taken, because no fencing token can be drawn", e);
            }
            gate.shut(e);
            throw new LockLostException("No fencing token could be drawn", e);
        }
        // Somebody who stood still before the token was drawn would hold the highest one although others
        // came after him.
        work.requireFreshLock();
    }
}
