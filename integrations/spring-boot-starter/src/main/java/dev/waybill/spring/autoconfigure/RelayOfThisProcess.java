package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.LocalRelay;
import dev.waybill.relay.Relay;
import org.jspecify.annotations.Nullable;

/** The relay that the context runs, for the outbox, which is there before it. Thread-safe. */
final class RelayOfThisProcess implements LocalRelay {
    private volatile @Nullable Service<Relay> service;

    void follow(Service<Relay> relay) {
        service = relay;
    }

    @Override
    public boolean wake(String destination) {
        Service<Relay> followed = service;
        @Nullable Relay running = followed == null ? null : followed.running();
        return running != null && running.wake(destination);
    }
}
