package dev.waybill.outbox;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of an append, each to be written elsewhere.
 *
 * @param bodies what is kept outside its message
 * @param scheduled what waits for its time
 * @param immediate what goes into the outbox
 */
record Append(List<ClaimCheck.Body> bodies, List<OutboxMessage> scheduled, List<OutboxMessage> immediate) {
    Append() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(OutboxMessage message) {
        (message.isScheduled() ? scheduled : immediate).add(message);
    }

    /** The same without what goes into the outbox. */
    Append withoutImmediate() {
        return new Append(bodies, scheduled, List.of());
    }

    boolean isEmpty() {
        return bodies.isEmpty() && scheduled.isEmpty() && immediate.isEmpty();
    }
}
