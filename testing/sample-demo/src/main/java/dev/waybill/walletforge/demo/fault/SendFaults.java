package dev.waybill.walletforge.demo.fault;

import static dev.waybill.servicebus.embedded.fault.FaultPoint.BEFORE_STORE;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.STORED_BEFORE_ACK;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.fault.FaultRule;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.servicebus.Entities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The broker's faults against the relay's sends. The first of each comes by count, the rest by the broker's seed.
 */
final class SendFaults {
    private static final double BUSY = 0.02;
    private static final double BROKEN = 0.01;
    private static final int MOST_BUSY = 3;
    private static final int MOST_BROKEN = 2;

    private final EmbeddedBus bus;
    private final List<FaultHandle> busy = new CopyOnWriteArrayList<>();
    private final List<FaultHandle> dropped = new CopyOnWriteArrayList<>();
    private final List<FaultHandle> detached = new CopyOnWriteArrayList<>();
    private final List<FaultHandle> unacknowledged = new CopyOnWriteArrayList<>();

    SendFaults(EmbeddedBus bus) {
        this.bus = bus;
    }

    /** From now on. */
    void begin() {
        // Apart from each other: each failure in a row doubles the relay's rest.
        busy.add(rule(BEFORE_STORE).every(4).times(2).then(FaultAction.reject(BrokerError.SERVER_BUSY)));
        dropped.add(rule(BEFORE_STORE).after(9).times(1).then(FaultAction.dropConnection()));
        detached.add(rule(BEFORE_STORE).after(17).times(1).then(FaultAction.detach(BrokerError.DETACH_FORCED)));
        unacknowledged.add(rule(STORED_BEFORE_ACK).after(7).times(1).then(FaultAction.dropConnection()));
        busy.add(now(BEFORE_STORE, BUSY, MOST_BUSY).then(FaultAction.reject(BrokerError.SERVER_BUSY)));
        dropped.add(now(BEFORE_STORE, BROKEN, MOST_BROKEN).then(FaultAction.dropConnection()));
        detached.add(now(BEFORE_STORE, BROKEN, MOST_BROKEN).then(FaultAction.detach(BrokerError.DETACH_FORCED)));
        unacknowledged.add(now(STORED_BEFORE_ACK, BROKEN, MOST_BROKEN).then(FaultAction.dropConnection()));
    }

    /** How often each has hit so far. */
    Map<String, Integer> counts() {
        var counts = new LinkedHashMap<String, Integer>();
        counts.put("sendsThrottled", hits(busy));
        counts.put("connectionsDropped", hits(dropped));
        counts.put("linksDetached", hits(detached));
        counts.put("acknowledgementsLost", hits(unacknowledged));
        return counts;
    }

    /** The same in words. */
    String inWords() {
        return "it throttled " + hits(busy) + " sends, dropped the connection at " + hits(dropped)
                + ", detached the link at " + hits(detached) + ", and lost " + hits(unacknowledged)
                + " acknowledgements";
    }

    private FaultRule now(FaultPoint point, double probability, int times) {
        return rule(point).probability(probability).times(times);
    }

    private FaultRule rule(FaultPoint point) {
        return bus.faults().at(point).entity(Entities.WALLET_TX);
    }

    private static int hits(List<FaultHandle> handles) {
        return handles.stream().mapToInt(FaultHandle::hits).sum();
    }
}
