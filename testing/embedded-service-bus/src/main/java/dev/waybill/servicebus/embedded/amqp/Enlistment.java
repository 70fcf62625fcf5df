package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.transaction.Transactions;
import dev.waybill.servicebus.embedded.transaction.Work;
import java.nio.ByteBuffer;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Outcome;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the work of one connection becomes part of its transactions. */
final class Enlistment {
    private static final Logger log = LoggerFactory.getLogger(Enlistment.class);

    private final Transactions transactions;
    private @Nullable Session coordinatorSession;

    Enlistment(Transactions transactions) {
        this.transactions = transactions;
    }

    Transactions transactions() {
        return transactions;
    }

    void coordinatorAttached(Link link) {
        coordinatorSession = link.getSession();
    }

    /** Adds work to the transaction that the state names. */
    void enlist(TransactionalState state, Link link, String path, Work work) {
        boolean crossEntity = link.getSession() == coordinatorSession;
        transactions.get(id(state.getTxnId())).enlist(work, path, crossEntity);
    }

    /** Part of the transaction was refused. Clients may not look at that, so their commit must fail. */
    void doom(TransactionalState state, Refused why) {
        try {
            transactions.get(id(state.getTxnId())).doom(why);
        } catch (Refused unknown) {
            log.debug("An unknown transaction cannot be marked for rollback: {}", unknown.description());
        }
    }

    static ByteBuffer id(@Nullable Binary id) {
        return id == null ? ByteBuffer.allocate(0) : id.asByteBuffer();
    }

    /** An outcome as part of a transaction. */
    static DeliveryState within(TransactionalState state, Outcome outcome) {
        TransactionalState answer = new TransactionalState();
        answer.setTxnId(state.getTxnId());
        answer.setOutcome(outcome);
        return answer;
    }
}
