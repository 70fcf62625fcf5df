package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class Transaction {
    private final OpenTransactions all;
    private final List<Work> works = new ArrayList<>();
    private final Set<UUID> locks = new HashSet<>();
    private final Sends sends = new Sends();
    private @Nullable String entity;
    private @Nullable Refused doom;
    private boolean over;

    Transaction(OpenTransactions all) {
        this.all = all;
    }

    /**
     * Adds work.
     *
     * @param crossEntity whether it may combine entities, because the client uses one AMQP session
     * @throws Refused if the transaction is over, has another entity, settles a lock twice, or exceeds a limit
     */
    public void enlist(Work work, String path, boolean crossEntity) {
        if (over) {
            throw new Refused(BrokerError.TRANSACTION_ROLLBACK, "The transaction is over.");
        }
        if (!crossEntity && entity != null && !entity.equalsIgnoreCase(path)) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "A transaction on '" + entity + "' cannot include '" + path
                            + "' unless cross-entity transactions are enabled.");
        }
        if (!Collections.disjoint(locks, work.locks())) {
            throw new Refused(
                    BrokerError.MESSAGE_LOCK_LOST, "The message was already settled in the same transaction.");
        }
        Sending sending = work.sending();
        if (sending != null) {
            all.requireRoom(sending.bytes());
            sends.add(sending);
            all.hold(sending.bytes());
        }
        entity = path;
        locks.addAll(work.locks());
        works.add(work);
    }

    /** A part was rejected, so a commit fails with that reason. */
    public void doom(Refused why) {
        if (doom == null) {
            doom = why;
        }
    }

    /** Throws the first refusal, and then changes nothing. */
    void commit() {
        over = true;
        if (doom != null) {
            throw doom;
        }
        works.forEach(Work::check);
        sends.check();
        works.forEach(Work::apply);
    }

    void rollBack() {
        over = true;
    }

    long bytes() {
        return sends.bytes();
    }
}
