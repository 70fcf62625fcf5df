package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.util.List;

/** Sends to an entity by way of another, so that both take part in one transaction. */
public final class SendVia implements Destination {
    private final Namespace namespace;
    private final MessageEntity via;
    private final String target;

    public SendVia(Namespace namespace, String via, String target) {
        this.namespace = namespace;
        MessageEntity first = namespace.intake(via);
        if (first == null) {
            throw Refused.noSuchEntity(via);
        }
        if (namespace.intake(target) == null) {
            throw Refused.noSuchEntity(target);
        }
        this.via = first;
        this.target = target;
    }

    @Override
    public String path() {
        return via.path();
    }

    @Override
    public String holder() {
        return target;
    }

    @Override
    public void requireRoom(long bytes) {
        namespace.destination(target).requireRoom(bytes);
    }

    @Override
    public void check(List<BrokerMessage> messages) {
        via.requirePresent();
        namespace.destination(target).check(messages);
    }

    @Override
    public void store(List<BrokerMessage> messages) {
        via.transfer(messages, target);
    }

    @Override
    public List<Long> schedule(List<BrokerMessage> messages) {
        return namespace.destination(target).schedule(messages);
    }

    @Override
    public Reservation reserve(List<BrokerMessage> messages) {
        return namespace.destination(target).reserve(messages);
    }

    @Override
    public void cancelScheduled(List<Long> sequenceNumbers) {
        namespace.destination(target).cancelScheduled(sequenceNumbers);
    }

    @Override
    public void attach(Attached sender) {
        via.attach(sender);
    }

    @Override
    public void detach(Attached sender) {
        via.detach(sender);
    }

    @Override
    public int maxMessageBytes() {
        return via.maxMessageBytes();
    }

    @Override
    public int maxBatchBytes() {
        return via.maxBatchBytes();
    }
}
