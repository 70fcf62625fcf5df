package dev.waybill.servicebus.stress;

import dev.waybill.servicebus.embedded.fault.FaultEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Every fortieth message or so is refused, with every batch it is in, until it has been refused alone twice. */
final class Refusals implements Predicate<FaultEvent> {
    private static final int ALONE = 2;

    private final Map<String, Integer> refusedAlone = new HashMap<>();

    @Override
    public synchronized boolean test(FaultEvent event) {
        for (String id : event.messageIds()) {
            if (Math.floorMod(id.hashCode(), 40) == 0 && refusedAlone.getOrDefault(id, 0) < ALONE) {
                if (event.messageIds().size() == 1) {
                    refusedAlone.merge(id, 1, Integer::sum);
                }
                return true;
            }
        }
        return false;
    }
}
