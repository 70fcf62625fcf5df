package dev.waybill.deadletter;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where dead letters go, and how fast. Immutable.
 *
 * @param target the entity or the consumer; empty for {@link Way#SOURCE}
 * @param canary messages after which the run pauses
 * @param rate most messages a second
 */
public record RedriveRequest(Way way, Optional<String> target, OptionalInt canary, OptionalInt rate) {
    public enum Way {
        /** Through the outbox to the queue or topic that the message came from. All subscriptions of a topic receive it. */
        SOURCE,
        /** Through the outbox to another queue or topic. */
        ENTITY,
        /** Into the hold of the message's session in the inbox, from which only the failed consumer handles it, in order. */
        CONSUMER
    }

    /** Requires a target for each way but {@link Way#SOURCE}, and numbers of at least 1. */
    public RedriveRequest {
        if ((way == Way.SOURCE) == target.isPresent()) {
            throw new IllegalArgumentException("A re-drive to the source has no target, any other needs one");
        }
        if (canary.orElse(1) < 1 || rate.orElse(1) < 1) {
            throw new IllegalArgumentException("Canary and rate must be at least 1");
        }
    }

    public static RedriveRequest toSource() {
        return new RedriveRequest(Way.SOURCE, Optional.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    public static RedriveRequest toEntity(String destination) {
        return new RedriveRequest(Way.ENTITY, Optional.of(destination), OptionalInt.empty(), OptionalInt.empty());
    }

    /** To the consumer that failed, by its name in the inbox of the same database. */
    public static RedriveRequest toConsumer(String consumer) {
        return new RedriveRequest(Way.CONSUMER, Optional.of(consumer), OptionalInt.empty(), OptionalInt.empty());
    }

    public RedriveRequest withCanary(int messages) {
        return new RedriveRequest(way, target, OptionalInt.of(messages), rate);
    }

    public RedriveRequest withRate(int messagesPerSecond) {
        return new RedriveRequest(way, target, canary, OptionalInt.of(messagesPerSecond));
    }
}
