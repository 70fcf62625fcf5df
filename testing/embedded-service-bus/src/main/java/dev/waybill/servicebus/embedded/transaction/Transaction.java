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

/** One transaction of one client. */
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
     * @param work what to do at the commit
     * @param path the entity it is done on
     * @param crossEntity whether the client may combine entities: it runs everything on one AMQP session
     * @throws Refused if the transaction is over, already concerns another entity, ends the same lock, sends too
     *     many messages, or more than its entity has room for
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

    /** Part of the work was refused: the commit, if the client still asks for it, is refused for the same reason. */
    public void doom(Refused why) {
        if (doom == null) {
            doom = why;
        }
    }

    /** Does all or nothing; throws the refusal of the first piece that cannot be done. */
    void commit() {
        over = true;
        if (doom != null) {
            throw doom;
        }
        works.forEach(Work::check);
        sends.check();
        works.forEach(Work::apply);
    }

    /** Forgets its work, none of which has had an effect. */
    void rollBack() {
        over = true;
    }

    /** How much memory its messages take. */
    long bytes() {
        return sends.bytes();
    }
}
