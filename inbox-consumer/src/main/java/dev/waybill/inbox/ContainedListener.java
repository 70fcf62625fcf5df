package dev.waybill.inbox;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener whose errors, and whose interrupts left behind, are no business of the messages it hears of. */
record ContainedListener(ConsumerListener listener, Pace pace) implements ConsumerListener {
    private static final Logger LOG = LoggerFactory.getLogger(ContainedListener.class);

    @Override
    public void received(InboundMessage message) {
        tell(() -> listener.received(message));
    }

    @Override
    public void settled(InboundMessage message, Outcome outcome) {
        tell(() -> listener.settled(message, outcome));
    }

    @Override
    public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        tell(() -> listener.failed(message, thrown, kind));
    }

    @Override
    public void lockLost(InboundMessage message) {
        tell(() -> listener.lockLost(message));
    }

    @Override
    public void forgotten(Deferral deferral) {
        tell(() -> listener.forgotten(deferral));
    }

    @Override
    public void paused(Throwable thrown) {
        tell(() -> listener.paused(thrown));
    }

    @Override
    public void resumed() {
        tell(listener::resumed);
    }

    private void tell(Runnable news) {
        try {
            news.run();
        } catch (Throwable e) {
            LOG.warn("A listener failed; what it was told of goes on", e);
        } finally {
            pace.dropStrayInterrupt();
        }
    }
}
