package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.AmqpCodec;
import dev.waybill.servicebus.embedded.message.MalformedMessageException;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.transaction.Declare;
import org.apache.qpid.proton.amqp.transaction.Declared;
import org.apache.qpid.proton.amqp.transaction.Discharge;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;

/** A client's transaction coordinator. Closing the link rolls open transactions back (AMQP 1.0, part 4). */
final class CoordinatorLink implements LinkHandler {
    private static final int CREDIT = 100;
    private static final int MAX_REQUEST_BYTES = 64 * 1024;

    private final Broker broker;
    private final AmqpConnection connection;
    private final Receiver link;
    private final Enlistment enlistment;

    CoordinatorLink(Broker broker, AmqpConnection connection, Receiver link, Enlistment enlistment) {
        this.broker = broker;
        this.connection = connection;
        this.link = link;
        this.enlistment = enlistment;
    }

    void open() {
        enlistment.coordinatorAttached(link);
        link.setContext(this);
        link.open();
        link.flow(CREDIT);
    }

    @Override
    public void delivery(Delivery delivery) {
        if (delivery != link.current()) {
            return;
        }
        if (delivery.isAborted()) {
            // In this order, because settling the current delivery also advances the link.
            link.advance();
            delivery.settle();
            link.flow(1);
            return;
        }
        if (delivery.pending() > MAX_REQUEST_BYTES) {
            connection.detach(link, new Refused(BrokerError.MESSAGE_SIZE_EXCEEDED, "The request is too large."));
            return;
        }
        if (delivery.isPartial() || !delivery.isReadable()) {
            return;
        }
        byte[] bytes = new byte[delivery.pending()];
        link.recv(bytes, 0, bytes.length);
        link.advance();
        link.flow(1);
        Object asked;
        try {
            asked = AmqpCodec.message(bytes).getBody() instanceof AmqpValue value ? value.getValue() : null;
        } catch (MalformedMessageException e) {
            answer(delivery, Errors.rejected(new Refused(BrokerError.DECODE_ERROR, e.getMessage() + "")));
            return;
        }
        if (asked instanceof Declare) {
            declare(delivery);
        } else if (asked instanceof Discharge discharge) {
            new Discharging(delivery, discharge).begin();
        } else {
            answer(delivery, Errors.rejected(new Refused(BrokerError.NOT_IMPLEMENTED, "Declare or discharge.")));
        }
    }

    private void declare(Delivery delivery) {
        try {
            broker.namespace().context().limits().requireTransactions();
            Declared declared = new Declared();
            declared.setTxnId(new Binary(enlistment.transactions().declare(this)));
            answer(delivery, declared);
        } catch (Refused why) {
            answer(delivery, Errors.rejected(why));
        }
    }

    private void discharge(Discharge discharge, boolean commit) {
        enlistment.transactions().discharge(Enlistment.id(discharge.getTxnId()), commit);
    }

    @Override
    public void closed() {
        enlistment.transactions().rollBackAll(this);
    }

    private void answer(Delivery delivery, DeliveryState state) {
        if (!connection.ended()) {
            delivery.disposition(state);
            delivery.settle();
            connection.touch();
        }
    }

    private final class Discharging extends Step {
        private final Delivery delivery;
        private final Discharge discharge;

        Discharging(Delivery delivery, Discharge discharge) {
            super(CoordinatorLink.this.connection);
            this.delivery = delivery;
            this.discharge = discharge;
        }

        void begin() {
            if (Boolean.TRUE.equals(discharge.getFail())) {
                proceed();
            } else {
                FaultGate.pass(broker, FaultPoint.COMMIT, () -> FaultEvent.of(FaultPoint.COMMIT, "", "commit"), this);
            }
        }

        @Override
        void proceed() {
            try {
                discharge(discharge, !Boolean.TRUE.equals(discharge.getFail()));
                answer(delivery, Accepted.getInstance());
            } catch (Refused why) {
                answer(delivery, Errors.rejected(why));
            }
        }

        @Override
        void reject(Refused why) {
            enlistment.transactions().rollBack(Enlistment.id(discharge.getTxnId()));
            answer(delivery, Errors.rejected(why));
        }

        @Override
        void detach(Refused why) {
            connection.detach(link, why);
        }
    }
}
