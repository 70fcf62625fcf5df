package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Settlement;
import dev.waybill.servicebus.embedded.transaction.Work;
import java.util.Set;
import java.util.UUID;
import org.apache.qpid.proton.amqp.messaging.Outcome;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;

/** A settlement within a transaction: answered now, applied at the commit. */
final class TransactedSettlement implements Work {
    private final ReceiveLink link;
    private final Delivery delivery;
    private final TransactionalState state;

    TransactedSettlement(ReceiveLink link, Delivery delivery, TransactionalState state) {
        this.link = link;
        this.delivery = delivery;
        this.state = state;
    }

    void begin() {
        try {
            check();
            link.connection()
                    .enlistment()
                    .enlist(state, link.link(), link.mailbox().path(), this);
            answer(Enlistment.within(state, (Outcome) Outcomes.answer(asked())));
        } catch (Refused why) {
            link.connection().enlistment().doom(state, why);
            answer(Errors.rejected(why));
        }
    }

    private DeliveryState asked() {
        if (state.getOutcome() instanceof DeliveryState asked) {
            return asked;
        }
        throw new Refused(BrokerError.INVALID_FIELD, "A settlement in a transaction has no outcome.");
    }

    private void answer(DeliveryState answer) {
        delivery.disposition(answer);
        delivery.settle();
        link.connection().touch();
    }

    @Override
    public void check() {
        Settlement settlement = Outcomes.settlement(asked());
        link.mailbox().check(SettlementStep.held(link, delivery), settlement);
    }

    @Override
    public Set<UUID> locks() {
        UUID token = LockTokens.fromTag(delivery.getTag());
        return token == null ? Set.of() : Set.of(token);
    }

    @Override
    public void apply() {
        Settlement settlement = Outcomes.settlement(asked());
        Entry entry = SettlementStep.held(link, delivery);
        link.mailbox().settle(entry, settlement);
    }
}
