package dev.waybill.walletforge.demo.servicebus;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.walletforge.demo.proof.BrokerObserver;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;

/**
 * A bus that runs elsewhere, with a queue {@code wallet-tx} that requires sessions. Nobody can look into it, so the
 * witness stands at the consumer's receiving edge.
 */
public final class GivenBus implements Bus {
    private final ServiceBusAddress address;
    private final ConsumerObserver edge = new ConsumerObserver();

    /** The bus at this address. */
    public GivenBus(ServiceBusAddress address) {
        this.address = address;
    }

    @Override
    public ConsumerListener listener() {
        return edge;
    }

    @Override
    public ServiceBusAddress address() {
        return address;
    }

    @Override
    public BrokerObserver witness() {
        return edge;
    }

    @Override
    public long published() {
        return edge.messages();
    }

    @Override
    public long delivered() {
        return edge.total();
    }

    /** Always: what is not delivered yet cannot be seen from here. */
    @Override
    public boolean isDrained() {
        return true;
    }

    @Override
    public void close() {
        // It is not ours to stop.
    }
}
