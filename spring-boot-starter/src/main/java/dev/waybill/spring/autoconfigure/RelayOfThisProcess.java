package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.LocalRelay;
import dev.waybill.relay.Relay;
import org.jspecify.annotations.Nullable;

/** The relay that the context has started last, for the outbox, which is there before it. Thread-safe. */
final class RelayOfThisProcess implements LocalRelay {
    private volatile @Nullable Relay relay;

    Relay started(Relay newer) {
        relay = newer;
        return newer;
    }

    @Override
    public boolean wake(String destination) {
        Relay last = relay;
        return last != null && last.wake(destination);
    }
}
