package dev.waybill.relay.lease;

import dev.waybill.relay.Publisher;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Where a publisher sends each destination to. Thread-safe. */
public final class Places {
    private final AtomicBoolean asked = new AtomicBoolean();
    private final Map<String, String> known = new ConcurrentHashMap<>();

    /** Asks the publisher once, on another thread, because its credentials may block. A failure leaves the places unknown. */
    public void ask(Publisher publisher, Collection<String> destinations) {
        if (asked.getAndSet(true)) {
            return;
        }
        var asking = new Thread(
                () -> destinations.forEach(destination -> learn(destination, publisher.place(destination))),
                "waybill-relay-places");
        asking.setDaemon(true);
        asking.setUncaughtExceptionHandler((thread, failure) -> {});
        asking.start();
    }

    void learn(String destination, String place) {
        known.put(destination, place);
    }

    /** Empty as long as it is not known. */
    String of(String destination) {
        return known.getOrDefault(destination, "");
    }
}
