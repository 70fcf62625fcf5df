package dev.waybill.servicebus.embedded.amqp;

import java.util.function.BooleanSupplier;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.impl.LinkImpl;

/**
 * Tells a client that has asked for a drain that its credit is gone. The answer is owed also when deliveries have used up
 * all credit (AMQP 1.0, 2.6.7), where the engine gives none by itself.
 */
final class DrainAnswer {
    private static final int WINDOW_PAUSE_MILLIS = 2;

    private final Broker broker;
    private final AmqpConnection connection;
    private final Sender link;
    private final BooleanSupplier closed;
    private final BooleanSupplier bringsMore;
    private boolean begun;

    /**
     * For one link.
     *
     * @param bringsMore whether messages wait that the link will bring soon: they come before the answer
     */
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

    /** The client has asked for a drain. */
    void begin() {
        if (!begun) {
            begun = true;
            soon();
        }
    }

    // Twice later: first the deliveries of this turn are queued, then they run, and then the rest is drained.
    private void soon() {
        broker.loop().later(() -> broker.loop().later(this::answer));
    }

    /** Answers once what was delivered has been written, if the client still waits for it. */
    private void answer() {
        if (!owed()) {
            return;
        }
        connection.touch();
        if (link.getQueued() > 0) {
            // Flushed before this runs again, unless the client's window is full; what it was promised goes first.
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
