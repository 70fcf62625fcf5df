package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Settlement;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

final class Outcomes {
    private Outcomes() {}

    static Settlement settlement(DeliveryState state) {
        if (state instanceof Accepted) {
            return Settlement.complete();
        }
        if (state instanceof Released) {
            return Settlement.release();
        }
        if (state instanceof Modified modified) {
            Map<String, Object> properties = strings(modified.getMessageAnnotations());
            return Boolean.TRUE.equals(modified.getUndeliverableHere())
                    ? Settlement.defer(properties)
                    : Settlement.abandon(properties);
        }
        if (state instanceof Rejected rejected) {
            return deadLetter(rejected);
        }
        throw new Refused(BrokerError.NOT_ALLOWED, "A message cannot be settled as " + state);
    }

    private static Settlement deadLetter(Rejected rejected) {
        Map<String, Object> info =
                strings(rejected.getError() == null ? null : rejected.getError().getInfo());
        Object reason = info.remove(Settlement.REASON);
        Object description = info.remove(Settlement.DESCRIPTION);
        return Settlement.deadLetter(reason, description, info);
    }

    /** The answer to a settlement that was applied. */
    static DeliveryState answer(DeliveryState asked) {
        if (asked instanceof Rejected) {
            return new Rejected();
        }
        if (asked instanceof Modified) {
            return new Modified();
        }
        return asked instanceof Released ? Released.getInstance() : Accepted.getInstance();
    }

    private static Map<String, Object> strings(@Nullable Map<?, ?> map) {
        Map<String, Object> copy = new HashMap<>();
        if (map != null) {
            map.forEach((key, value) -> {
                if (value != null) {
                    copy.put(String.valueOf(key), value);
                }
            });
        }
        return copy;
    }
}
