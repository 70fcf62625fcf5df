package dev.waybill.servicebus.embedded.amqp;

import java.util.function.BooleanSupplier;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.impl.LinkImpl;

/**
 * Answers a client's drain request. AMQP 1.0 (2.6.7) also requires an answer when deliveries have used up the credit; the engine then
 * sends none.
 */
final class DrainAnswer {
    private static final int WINDOW_PAUSE_MILLIS = 2;

    private final Broker broker;
    private final AmqpConnection connection;
    private final Sender link;
    private final BooleanSupplier closed;
    private final BooleanSupplier bringsMore;
    private boolean begun;

    // The client gets messages that will be delivered soon before the answer.
    DrainAnswer(
            Broker broker, AmqpConnection connection, Sender link, BooleanSupplier closed, BooleanSupplier bringsMore) {
        this.broker = broker;
        this.connection = connection;
        this.link = link;
        this.closed = closed;
        this.bringsMore = bringsMore;
    }

    private boolean owed() {
        boolean still = !closed.getAsBoolean() && link.getDrain();
        begun &= still;
        return still;
    }

    void begin() {
        if (!begun) {
            begun = true;
            soon();
        }
    }

    // Two turns later: the first queues this turn's deliveries, the second runs them.
    private void soon() {
        broker.loop().later(() -> broker.loop().later(this::answer));
    }

    /** Answers after the deliveries are written, if the drain is still requested. */
    private void answer() {
        if (!owed()) {
            return;
        }
        connection.touch();
        if (link.getQueued() > 0) {
            // Runs after the flush, unless the client's window is full; queued deliveries precede the answer.
            broker.loop().later(this::afterFlush);
        } else {
            afterFlush();
        }
    }

    private void afterFlush() {
        if (!owed()) {
            return;
        }
        if (link.getQueued() > 0 || bringsMore.getAsBoolean()) {
            broker.loop().network().in(WINDOW_PAUSE_MILLIS, this::soon);
            return;
        }
        begun = false;
        if (link.getCredit() == 0 && link instanceof LinkImpl engine) {
            engine.addCredit(1);
        }
        link.drained();
        connection.touch();
    }
}
