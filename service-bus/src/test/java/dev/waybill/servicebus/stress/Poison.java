package dev.waybill.servicebus.stress;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.util.List;

/**
 * Messages that are refused for ever, with every batch they are in.
 *
 * @param oneIn how many messages there are to one of them, more or less; their ids decide
 */
record Poison(int oneIn) {
    boolean is(String id) {
        return Math.floorMod(id.hashCode(), oneIn) == 0;
    }

    boolean isIn(FaultEvent event) {
        return event.messageIds().stream().anyMatch(this::is);
    }

    /** The first in a session, or how many messages it has if there is none. */
    int firstIn(List<String> session) {
        for (int i = 0; i < session.size(); i++) {
            if (is(session.get(i))) {
                return i;
            }
        }
        return session.size();
    }

    /** Rules that come before these take precedence. */
    void refuse(EmbeddedServiceBus bus, String queue, BrokerError error) {
        bus.faults().at(FaultPoint.BEFORE_STORE).entity(queue).when(this::isIn).then(FaultAction.reject(error));
    }
}
