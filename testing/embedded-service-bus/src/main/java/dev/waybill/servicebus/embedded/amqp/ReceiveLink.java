package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Receiver;
import dev.waybill.servicebus.embedded.mailbox.Receiving;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Session;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;

/** A client's receiver: delivers messages and applies settlements. */
final class ReceiveLink implements LinkHandler, Receiver {
    private final Broker broker;
    private final AmqpConnection connection;
    private final Sender link;
    private final Mailbox mailbox;
    private final Pace pace;
    private final DrainAnswer drain;
    private @Nullable Session session;
    private int reserved;
    /** Messages wait for this link, which has credit but must pause. */
    private boolean heldBack;

    private boolean closed;

    ReceiveLink(Broker broker, AmqpConnection connection, Sender link, Mailbox mailbox) {
        this.broker = broker;
        this.connection = connection;
        this.link = link;
        this.mailbox = mailbox;
        this.pace = new Pace(broker.loop().network(), this::wake);
        this.drain = new DrainAnswer(broker, connection, link, this::isClosed, this::bringsMore);
    }

    Mailbox mailbox() {
        return mailbox;
    }

    void attach() {
        Receiving.attach(mailbox, this);
    }

    void attach(Session granted) {
        this.session = granted;
    }

    private void wake() {
        if (closed) {
            return;
        }
        heldBack = false;
        Session mine = session;
        if (mine != null) {
            Receiving.wake(mailbox, mine);
        } else {
            mailbox.wake();
        }
    }

    @Override
    public void flow() {
        pace.credit(link.getCredit());
        wake();
        if (link.getDrain()) {
            drain.begin();
        }
    }

    @Override
    public int capacity() {
        int credit = closed ? 0 : link.getCredit() - reserved;
        int now = credit <= 0 || connection.unread().holdsBack(link, this::wake) ? 0 : Math.min(credit, pace.left());
        heldBack = credit > 0 && now == 0;
        return now;
    }

    private boolean bringsMore() {
        return heldBack && mailbox.options().status().receives();
    }

    @Override
    public boolean deletesOnDelivery() {
        return link.getSenderSettleMode() == SenderSettleMode.SETTLED;
    }

    @Override
    public void deliver(Entry entry) {
        reserved++;
        pace.spend();
        UUID token = deletesOnDelivery() ? UUID.randomUUID() : entry.lockToken();
        FaultGate.pass(
                broker, FaultPoint.BEFORE_DELIVER, event(FaultPoint.BEFORE_DELIVER, entry, ""), new Step(connection) {
                    @Override
                    void proceed() {
                        reserved--;
                        transfer(entry, token);
                    }

                    @Override
                    void reject(Refused why) {
                        detach(why);
                    }

                    @Override
                    void detach(Refused why) {
                        connection.detach(link, why);
                    }

                    @Override
                    void deliverTwice() {
                        entry.returnOnceMore();
                        proceed();
                    }
                });
    }

    private Supplier<FaultEvent> event(FaultPoint point, Entry entry, String operation) {
        return () -> {
            String id = entry.messageId();
            return new FaultEvent(
                    point, mailbox.path(), operation, id == null ? List.of() : List.of(id), entry.sessionId());
        };
    }

    private void transfer(Entry entry, UUID token) {
        boolean settled = deletesOnDelivery();
        // During the delay the lock may have ended, and another receiver may have the message.
        if (closed || !(settled || entry.isLockedBy(token))) {
            return;
        }
        byte[] bytes = entry.encode(broker.loop().clock());
        Delivery delivery = link.delivery(LockTokens.toTag(token));
        delivery.setMessageFormat(0);
        link.send(bytes, 0, bytes.length);
        if (settled) {
            delivery.settle();
        }
        link.advance();
        FaultGate.pass(broker, FaultPoint.DELIVERED, event(FaultPoint.DELIVERED, entry, ""), new Step(connection) {
            @Override
            void proceed() {}

            @Override
            void reject(Refused why) {
                detach(why);
            }

            @Override
            void detach(Refused why) {
                connection.detach(link, why);
            }

            @Override
            void deliverTwice() {
                entry.returnOnceMore();
            }

            @Override
            void expireLock() {
                // Later, because the mailbox is in the middle of its deliveries.
                broker.loop().later(() -> mailbox.expireLock(entry));
            }
        });
    }

    @Override
    public void delivery(Delivery delivery) {
        DeliveryState asked = delivery.getRemoteState();
        if (!delivery.isUpdated() || delivery.isSettled()) {
            return;
        }
        delivery.clear();
        if (asked == null) {
            if (delivery.remotelySettled()) {
                delivery.settle();
            }
            return;
        }
        if (asked instanceof TransactionalState state) {
            new TransactedSettlement(this, delivery, state).begin();
        } else {
            new SettlementStep(this, delivery, asked).begin();
        }
    }

    Broker broker() {
        return broker;
    }

    AmqpConnection connection() {
        return connection;
    }

    Sender link() {
        return link;
    }

    boolean isClosed() {
        return closed;
    }

    Supplier<FaultEvent> settlementEvent(FaultPoint point, Entry entry, String outcome) {
        return event(point, entry, outcome);
    }

    @Override
    public void lost(Refused why) {
        session = null;
        connection.detach(link, why);
    }

    @Override
    public void closed() {
        closed = true;
        connection.unread().forget(link);
        Session mine = session;
        session = null;
        if (mine != null) {
            Receiving.release(mailbox, mine, this);
        } else if (!mailbox.hasSessions()) {
            Receiving.detach(mailbox, this);
        }
    }
}
