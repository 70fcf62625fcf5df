package dev.waybill.standalone.database;

import dev.waybill.deadletter.CollectorStatus;
import java.util.List;
import java.util.Map;

/**
 * An outbox and what surrounds it, at a moment.
 *
 * @param status the outbox itself
 * @param flows by destination
 */
public record Overview(
        Status status,
        Map<String, Flow> flows,
        List<DeadLetterCount> deadLetters,
        List<CollectorStatus> collectors,
        List<ConsumerView> consumers) {
    /** Copies what can change. */
    public Overview {
        flows = Map.copyOf(flows);
        deadLetters = List.copyOf(deadLetters);
        collectors = List.copyOf(collectors);
        consumers = List.copyOf(consumers);
    }

    /** How fast a destination's messages come and go. */
    public Flow flow(DestinationView destination) {
        return flows.getOrDefault(destination.name(), Flow.NONE);
    }

    /**
     * Dead letters of an entity that wait for somebody.
     *
     * @param state {@code open} or {@code quarantined}
     * @param isAtLeast whether some were not counted
     */
    public record DeadLetterCount(String entity, String state, long count, double oldestSeconds, boolean isAtLeast) {}
}
