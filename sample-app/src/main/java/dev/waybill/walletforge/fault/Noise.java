package dev.waybill.walletforge.fault;

import static dev.waybill.servicebus.embedded.fault.FaultPoint.BEFORE_SETTLE;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.DELIVERED;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.STORED_BEFORE_ACK;

import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.walletforge.payment.PaymentWire;
import dev.waybill.walletforge.relay.RelayService;
import java.time.Duration;

/** The broker's own misbehaviour. The broker's seed decides whom it hits. */
final class Noise {
    private static final double TWICE = 0.02;
    private static final double SETTLEMENT_LOST = 0.005;
    private static final int MOST_LOST = 40;
    private static final int LATE_SENDS = 3;
    private static final int EVERY = 5;

    // Long after the relay has given the send up and made it again.
    private static final Duration LATE = RelayService.SEND_DEADLINE.plusSeconds(1);

    private Noise() {}

    /** Delivers some messages twice, the very first one for certain, and loses some settlements. */
    static void onDelivery(Faults faults) {
        faults.at(DELIVERED).entity(PaymentWire.QUEUE).times(1).then(FaultAction.deliverTwice());
        faults.at(DELIVERED).entity(PaymentWire.QUEUE).probability(TWICE).then(FaultAction.deliverTwice());
        faults.at(BEFORE_SETTLE)
                .entity(PaymentWire.QUEUE)
                .probability(SETTLEMENT_LOST)
                .times(MOST_LOST)
                .then(FaultAction.pretend());
    }

    /** Acknowledges a few sends too late. */
    static FaultHandle onSend(Faults faults) {
        return faults.at(STORED_BEFORE_ACK)
                .entity(PaymentWire.QUEUE)
                .every(EVERY)
                .times(LATE_SENDS)
                .then(FaultAction.delay(LATE));
    }
}
