package dev.waybill.relay;

import java.util.concurrent.CompletionStage;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The end of a process inside a send: what the publisher throws lets nothing more be sent and nothing more be written.
 */
final class MortalPublisher implements Publisher {
    private final Publisher publisher;
    private volatile @Nullable RuntimeException death;

    MortalPublisher(Publisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        throwDeath();
        try {
            return publisher.publish(shipment);
        } catch (RuntimeException e) {
            death = e;
            throw e;
        }
    }

    /** Throws what the publisher has thrown, if it has. */
    void throwDeath() {
        RuntimeException thrown = death;
        if (thrown != null) {
            throw thrown;
        }
    }

    /** The same database for somebody who dies with the publisher. */
    DSLContext ending(DSLContext dsl) {
        return WatchedConnections.of(dsl, new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                throwDeath();
            }
        });
    }

    @Override
    public java.util.concurrent.CompletionStage<?> prepare(String destination) {
        return publisher.prepare(destination);
    }

    @Override
    public java.time.Duration longestSend() {
        return publisher.longestSend();
    }

    @Override
    public void close() {
        publisher.close();
    }
}
