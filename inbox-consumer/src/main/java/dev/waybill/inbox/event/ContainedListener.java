package dev.waybill.inbox.event;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Deferral;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.supervision.Traces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Contains the listener's exceptions, and interrupts that it leaves behind. */
record ContainedListener(ConsumerListener listener, HoldCount holds, WorkerClock clock) implements ConsumerListener {
    private static final Logger LOG = LoggerFactory.getLogger(ContainedListener.class);
    private static final Traces TRACES = new Traces();

    @Override
    public void received(InboundMessage message) {
        call(() -> listener.received(message));
    }

    @Override
    public void settled(InboundMessage message, Outcome outcome) {
        if (outcome == Outcome.HELD) {
            holds.held(message);
        }
        call(() -> listener.settled(message, outcome));
    }

    @Override
    public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        call(() -> listener.failed(message, thrown, kind));
    }

    @Override
    public void lockLost(InboundMessage message) {
        call(() -> listener.lockLost(message));
    }

    @Override
    public void forgotten(Deferral deferral) {
        call(() -> listener.forgotten(deferral));
    }

    @Override
    public void paused(Throwable thrown) {
        call(() -> listener.paused(thrown));
    }

    @Override
    public void resumed() {
        call(listener::resumed);
    }

    private void call(Runnable news) {
        try {
            news.run();
        } catch (Throwable e) {
            TRACES.warn(LOG, "A listener failed; the consumer continues", e);
        } finally {
            clock.dropStrayInterrupt();
        }
    }
}
