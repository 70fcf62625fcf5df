package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.entity.Refused;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One transaction of one client. */
public final class Transaction {
    /** Azure's quota; the messages of a batch count one by one. */
    private static final int MOST_MESSAGES = 100;

    private final List<Work> works = new ArrayList<>();
    private final Set<UUID> locks = new HashSet<>();
    private @Nullable String entity;
    private int sends;
    private boolean over;

    Transaction() {}

    /**
     * Adds work.
     *
     * @param work what to do at the commit
     * @param path the entity it is done on
     * @param crossEntity whether the client may combine entities: it runs everything on one AMQP session
     * @throws Refused if the transaction is over, already concerns another entity, ends the same lock, or
     *     sends too many messages
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
        if (work.sends() > MOST_MESSAGES - sends) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "Cannot send more than " + MOST_MESSAGES + " messages in a single transaction.");
        }
        entity = path;
        sends += work.sends();
        locks.addAll(work.locks());
        works.add(work);
    }

    /** Part of the work was refused: the commit, if the client still asks for it, is refused for the same reason. */
    public void doom(Refused why) {
        works.add(new Work() {
            @Override
            public void check() {
                throw why;
            }

            @Override
            public void apply() {
                throw new IllegalStateException("Applied without having been checked");
            }
        });
    }

    /** Does all or nothing; throws the refusal of the first piece that cannot be done. */
    void commit() {
        over = true;
        works.forEach(Work::check);
        works.forEach(Work::apply);
    }

    /** Forgets its work, none of which has had an effect. */
    void rollBack() {
        over = true;
    }
}
