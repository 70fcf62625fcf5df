package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.LocalRelay;
import dev.waybill.relay.Relay;
import dev.waybill.spring.tenants.TenantRelays;
import org.jspecify.annotations.Nullable;

/** The relay that the context runs, for the outbox, which is there before it. Thread-safe. */
final class RelayOfThisProcess implements LocalRelay {
    private volatile @Nullable Service<Relay> service;
    private volatile @Nullable Service<TenantRelays> tenants;

    void follow(Service<Relay> relay) {
        service = relay;
    }

    void followTenants(Service<TenantRelays> relays) {
        tenants = relays;
    }

    @Override
    public boolean wake(String destination) {
        Service<Relay> followed = service;
        @Nullable Relay running = followed == null ? null : followed.running();
        return running != null && running.wake(destination);
    }

    /** After a commit in the database of a tenant. Relays of other processes are notified beside it. */
    void wakeTenant(String url) {
        Service<TenantRelays> followed = tenants;
        @Nullable TenantRelays running = followed == null ? null : followed.running();
        if (running != null) {
            running.wake(url);
        }
    }
}
