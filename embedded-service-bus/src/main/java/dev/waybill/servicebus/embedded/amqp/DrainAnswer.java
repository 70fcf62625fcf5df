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

    DrainAnswer(Broker broker, AmqpConnection connection, Sender link, BooleanSupplier closed) {
        this.broker = broker;
        this.connection = connection;
        this.link = link;
        this.closed = closed;
    }

    private boolean owed() {
        return !closed.getAsBoolean() && link.getDrain();
    }

    /** Answers once what was delivered has been written, if the client still waits for it. */
    void answer() {
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
        if (link.getQueued() > 0) {
            broker.loop().network().in(WINDOW_PAUSE_MILLIS, this::answer);
            return;
        }
        if (link.getCredit() == 0 && link instanceof LinkImpl engine) {
            engine.addCredit(1);
        }
        link.drained();
        connection.touch();
    }
}
