package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Settlement;
import java.util.Locale;
import java.util.UUID;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;

/** Applies a receiver's settlement, then answers with an outcome of that kind. */
final class SettlementStep {
    private final ReceiveLink link;
    private final Delivery delivery;
    private final DeliveryState asked;

    SettlementStep(ReceiveLink link, Delivery delivery, DeliveryState asked) {
        this.link = link;
        this.delivery = delivery;
        this.asked = asked;
    }

    void begin() {
        try {
            Settlement settlement = Outcomes.settlement(asked);
            Entry entry = held();
            String outcome = settlement.outcome().name().toLowerCase(Locale.ROOT);
            FaultGate.pass(
                    link.broker(),
                    FaultPoint.BEFORE_SETTLE,
                    link.settlementEvent(FaultPoint.BEFORE_SETTLE, entry, outcome),
                    new Apply(settlement, entry, outcome));
        } catch (Refused why) {
            answer(Errors.rejected(why));
        }
    }

    private Entry held() {
        return held(link, delivery);
    }

    /** Throws if the delivery's lock has ended. */
    static Entry held(ReceiveLink link, Delivery delivery) {
        UUID token = LockTokens.fromTag(delivery.getTag());
        if (token == null) {
            throw new Refused(BrokerError.MESSAGE_LOCK_LOST, "The delivery has no lock token.");
        }
        return link.mailbox().held(token);
    }

    private void answer(DeliveryState state) {
        if (!link.isClosed()) {
            delivery.disposition(state);
            delivery.settle();
            link.connection().touch();
        }
    }

    private abstract class Settling extends Step {
        Settling() {
            super(link.connection());
        }

        @Override
        void reject(Refused why) {
            answer(Errors.rejected(why));
        }

        @Override
        void detach(Refused why) {
            link.connection().detach(link.link(), why);
        }

        @Override
        void pretend() {
            answer(Outcomes.answer(asked));
        }
    }

    private final class Apply extends Settling {
        private final Settlement settlement;
        private final Entry entry;
        private final String outcome;

        Apply(Settlement settlement, Entry entry, String outcome) {
            this.settlement = settlement;
            this.entry = entry;
            this.outcome = outcome;
        }

        @Override
        void proceed() {
            try {
                link.mailbox().settle(held(), settlement);
            } catch (Refused why) {
                reject(why);
                return;
            }
            FaultGate.pass(
                    link.broker(),
                    FaultPoint.SETTLED_BEFORE_ACK,
                    link.settlementEvent(FaultPoint.SETTLED_BEFORE_ACK, entry, outcome),
                    new Settling() {
                        @Override
                        void proceed() {
                            pretend();
                        }
                    });
        }

        @Override
        void expireLock() {
            link.mailbox().expireLock(entry);
            proceed();
        }

        @Override
        void deliverTwice() {
            entry.returnOnceMore();
            proceed();
        }
    }
}
