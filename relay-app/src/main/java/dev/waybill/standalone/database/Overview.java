package dev.waybill.standalone.database;

import dev.waybill.deadletter.CollectorStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
     */
    public record DeadLetterCount(String entity, String state, long count, double oldestSeconds) {}

    /**
     * A consumer.
     *
     * @param instances its processes that are alive
     * @param lastAlive until when one of them was sure to be alive; empty if that was never recorded
     * @param held what waits besides the queue
     */
    public record ConsumerView(String name, long instances, Optional<Instant> lastAlive, Held held) {}

    /**
     * What a consumer has put aside.
     *
     * @param parked holds that wait for an operator
     * @param forgotten deferrals that have lain for a day, and nobody has asked for
     */
    public record Held(long holds, long parked, long deferrals, long forgotten) {}
}
