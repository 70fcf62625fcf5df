package dev.waybill.outbox;

import java.util.ArrayList;
import java.util.List;

/** The messages and bodies of one append, by the table that stores them. */
record Append(List<ClaimCheck.Body> bodies, List<OutboxMessage> scheduled, List<OutboxMessage> immediate) {
    Append() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(OutboxMessage message) {
        (message.isScheduled() ? scheduled : immediate).add(message);
    }

    Append withoutImmediate() {
        return new Append(bodies, scheduled, List.of());
    }

    boolean isEmpty() {
        return bodies.isEmpty() && scheduled.isEmpty() && immediate.isEmpty();
    }
}
