package dev.waybill.walletforge.demo.fault;

import static dev.waybill.servicebus.embedded.fault.FaultPoint.BEFORE_SETTLE;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.DELIVERED;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.STORED_BEFORE_ACK;

import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.fault.FaultRule;
import dev.waybill.walletforge.demo.relay.RelayTempo;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.servicebus.Entities;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The broker's own misbehaviour. The broker's seed decides whom it hits. Thread-safe. */
final class BrokerFaults {
    private static final double TWICE = 0.02;
    private static final double SETTLEMENT_LOST = 0.005;
    private static final int MOST_LOST = 40;
    private static final int LATE_SENDS = 3;
    private static final int EVERY = 5;

    // Long after the relay has given the send up and made it again.
    private static final Duration LATE = RelayTempo.HASTY.sendDeadline().plusSeconds(1);

    private final EmbeddedBus bus;
    private final RefusedMessage refused;
    private final SendFaults sends;
    private final List<FaultHandle> twice = new CopyOnWriteArrayList<>();
    private final List<FaultHandle> lost = new CopyOnWriteArrayList<>();
    private final List<FaultHandle> late = new CopyOnWriteArrayList<>();

    BrokerFaults(EmbeddedBus bus, RefusedMessage refused) {
        this.bus = bus;
        this.refused = refused;
        sends = new SendFaults(bus);
    }

    /** Delivers some messages twice and loses some settlements; the very first of each for certain. */
    void onDelivery() {
        twice.add(rule(DELIVERED).times(1).then(FaultAction.deliverTwice()));
        twice.add(rule(DELIVERED).probability(TWICE).then(FaultAction.deliverTwice()));
        lost.add(rule(BEFORE_SETTLE).times(1).then(FaultAction.pretend()));
        lost.add(rule(BEFORE_SETTLE)
                .probability(SETTLEMENT_LOST)
                .times(MOST_LOST)
                .then(FaultAction.pretend()));
    }

    /** Acknowledges a few sends too late or never, throttles and cuts off others, and refuses one message. */
    void onSend() {
        sends.begin();
        refused.begin();
        late.add(rule(STORED_BEFORE_ACK).every(EVERY).times(LATE_SENDS).then(FaultAction.delay(LATE)));
    }

    /** The faults made so far. */
    List<String> inWords() {
        return List.of(
                "the broker delivered " + hits(twice) + " messages twice, lost " + hits(lost)
                        + " settlements, and acknowledged " + hits(late) + " sends too late",
                sends.inWords(),
                refused.inWords(),
                "it dropped " + bus.repeats() + " messages that a relay had sent again");
    }

    /** The same in figures. */
    Map<String, Integer> counts() {
        var counts = new LinkedHashMap<String, Integer>();
        counts.put("deliveredTwice", hits(twice));
        counts.put("settlementsLost", hits(lost));
        counts.put("acknowledgementsLate", hits(late));
        counts.putAll(sends.counts());
        counts.putAll(refused.counts());
        return counts;
    }

    private FaultRule rule(FaultPoint point) {
        return bus.faults().at(point).entity(Entities.WALLET_TX);
    }

    private static int hits(List<FaultHandle> handles) {
        return handles.stream().mapToInt(FaultHandle::hits).sum();
    }
}
