package dev.waybill.spring.tenants;

import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A publisher of many relays, none of which closes it. */
record SharedPublisher(Publisher publisher) implements Publisher {
    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        return publisher.publish(shipment);
    }

    @Override
    public CompletionStage<?> prepare(String destination) {
        return publisher.prepare(destination);
    }

    @Override
    public Duration longestSend() {
        return publisher.longestSend();
    }

    @Override
    public boolean followsEntities() {
        return publisher.followsEntities();
    }

    @Override
    public String place(String destination) {
        return publisher.place(destination);
    }

    @Override
    public void close() {}
}
