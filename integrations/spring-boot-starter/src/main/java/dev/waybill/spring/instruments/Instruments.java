package dev.waybill.spring.instruments;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Handler;
import dev.waybill.relay.Publisher;

/** Meters and traces of the relay and the consumers. */
public interface Instruments {
    /** Stands before a publisher, which it closes. */
    default Publisher around(Publisher publisher) {
        return publisher;
    }

    /** Watches a consumer. */
    default Watched watch(String consumer, Handler handler) {
        return new Watched(handler, ConsumerListener.SILENT);
    }

    /** A handler that is watched, and who hears of its messages. */
    record Watched(Handler handler, ConsumerListener listener) {}
}
