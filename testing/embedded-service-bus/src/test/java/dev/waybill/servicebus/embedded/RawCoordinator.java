package dev.waybill.servicebus.embedded;

import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.transaction.Coordinator;
import org.apache.qpid.proton.amqp.transaction.Declare;
import org.apache.qpid.proton.amqp.transaction.Declared;
import org.apache.qpid.proton.amqp.transaction.Discharge;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;

/** A control link for transactions, which a client can close whenever it likes. */
final class RawCoordinator {
    private final RawClient client;
    private final Sender link;
    private int tags;

    private RawCoordinator(RawClient client, Sender link) {
        this.client = client;
        this.link = link;
    }

    static RawCoordinator attached(RawClient client, String name) {
        Sender link = client.newSender(name);
        link.setTarget(new Coordinator());
        link.setSource(new Source());
        link.open();
        client.until(() -> link.getCredit() > 0);
        return new RawCoordinator(client, link);
    }

    /** Opens a transaction and tells its id. */
    Binary declare() {
        return id(tryToDeclare());
    }

    /** Asks for a transaction and tells how the broker answers. */
    DeliveryState tryToDeclare() {
        return ask(new Declare());
    }

    static Binary id(DeliveryState state) {
        if (state instanceof Declared declared) {
            return declared.getTxnId();
        }
        throw new AssertionError(state);
    }

    /** Ends a transaction and tells how the broker answers. */
    DeliveryState discharge(Binary transaction, boolean fail) {
        Discharge discharge = new Discharge();
        discharge.setTxnId(transaction);
        discharge.setFail(fail);
        return ask(discharge);
    }

    private DeliveryState ask(Object what) {
        Message message = Message.Factory.create();
        message.setBody(new AmqpValue(what));
        return transfer(link, RawClient.encoded(message), null);
    }

    /** Sends a message as part of a transaction and tells how the broker answers. */
    DeliveryState send(Binary transaction, String path, String id) {
        return sendBytes(transaction, path, RawClient.message(id));
    }

    DeliveryState sendBytes(Binary transaction, String path, byte[] message) {
        TransactionalState state = new TransactionalState();
        state.setTxnId(transaction);
        return transfer(client.sender(path), message, state);
    }

    private DeliveryState transfer(Sender sender, byte[] bytes, @Nullable DeliveryState state) {
        Delivery delivery = sender.delivery(new byte[] {7, (byte) (tags >> 8), (byte) tags++});
        if (state != null) {
            delivery.disposition(state);
        }
        sender.send(bytes, 0, bytes.length);
        sender.advance();
        client.until(() -> delivery.getRemoteState() != null);
        DeliveryState answer = delivery.getRemoteState();
        delivery.settle();
        return answer;
    }

    void close() {
        link.close();
        client.until(() -> link.getRemoteState() == EndpointState.CLOSED);
    }
}
