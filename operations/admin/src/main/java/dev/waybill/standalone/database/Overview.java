package dev.waybill.standalone.database;

import dev.waybill.deadletter.CollectorStatus;
import java.util.List;
import java.util.Map;

public record Overview(
        Status status,
        Map<String, Flow> flows,
        List<DeadLetterCount> deadLetters,
        List<CollectorStatus> collectors,
        List<ConsumerView> consumers) {
    public Overview {
        flows = Map.copyOf(flows);
        deadLetters = List.copyOf(deadLetters);
        collectors = List.copyOf(collectors);
        consumers = List.copyOf(consumers);
    }

    public Flow flow(DestinationView destination) {
        return flows.getOrDefault(destination.name(), Flow.NONE);
    }

    /** Open or quarantined dead letters of an entity; {@code isAtLeast} marks a count that reached its limit. */
    public record DeadLetterCount(String entity, String state, long count, double oldestSeconds, boolean isAtLeast) {}
}
