package dev.waybill.spring.autoconfigure;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Deferral;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Several listeners of a consumer. One that throws keeps nothing from those after it. */
final class Listeners implements ConsumerListener {
    private final List<ConsumerListener> all;

    Listeners(List<ConsumerListener> all) {
        this.all = List.copyOf(all);
    }

    @Override
    public void received(InboundMessage message) {
        tell(listener -> listener.received(message));
    }

    @Override
    public void settled(InboundMessage message, Outcome outcome) {
        tell(listener -> listener.settled(message, outcome));
    }

    @Override
    public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        tell(listener -> listener.failed(message, thrown, kind));
    }

    @Override
    public void lockLost(InboundMessage message) {
        tell(listener -> listener.lockLost(message));
    }

    @Override
    public void forgotten(Deferral deferral) {
        tell(listener -> listener.forgotten(deferral));
    }

    @Override
    public void paused(Throwable thrown) {
        tell(listener -> listener.paused(thrown));
    }

    @Override
    public void resumed() {
        tell(ConsumerListener::resumed);
    }

    // The consumer logs what comes out of here.
    private void tell(Consumer<ConsumerListener> what) {
        @Nullable RuntimeException first = null;
        for (ConsumerListener listener : all) {
            try {
                what.accept(listener);
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
