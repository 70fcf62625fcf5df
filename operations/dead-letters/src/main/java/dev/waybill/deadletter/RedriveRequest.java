package dev.waybill.deadletter;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where dead letters are to go, and how fast. Immutable.
 *
 * @param way in which direction
 * @param target the entity or the consumer; empty for {@link Way#SOURCE}
 * @param canary the run pauses by itself after so many
 * @param rate most messages in a second
 */
public record RedriveRequest(Way way, Optional<String> target, OptionalInt canary, OptionalInt rate) {
    /** In which direction. */
    public enum Way {
        /** Through the outbox to the queue or topic that the message came from. All of a topic's subscriptions see it. */
        SOURCE,
        /** Through the outbox to another queue or topic. */
        ENTITY,
        /**
         * Into the hold of the message's session in the inbox, from where the failed consumer takes it in order. Nobody else
         * sees it.
         */
        CONSUMER
    }

    /** Refuses a target too many or too few, and numbers below 1. */
    public RedriveRequest {
        if ((way == Way.SOURCE) == target.isPresent()) {
            throw new IllegalArgumentException("A re-drive to the source has no target, any other needs one");
        }
        if (canary.orElse(1) < 1 || rate.orElse(1) < 1) {
            throw new IllegalArgumentException("Canary and rate must be at least 1");
        }
    }

    /** To where they came from. */
    public static RedriveRequest toSource() {
        return new RedriveRequest(Way.SOURCE, Optional.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    /** To another queue or topic. */
    public static RedriveRequest toEntity(String destination) {
        return new RedriveRequest(Way.ENTITY, Optional.of(destination), OptionalInt.empty(), OptionalInt.empty());
    }

    /** Only to the consumer that failed, by its name in the inbox of the same database. */
    public static RedriveRequest toConsumer(String consumer) {
        return new RedriveRequest(Way.CONSUMER, Optional.of(consumer), OptionalInt.empty(), OptionalInt.empty());
    }

    /** The same, that pauses after so many until it is resumed. */
    public RedriveRequest withCanary(int messages) {
        return new RedriveRequest(way, target, OptionalInt.of(messages), rate);
    }

    /** The same, with at most so many messages in a second. */
    public RedriveRequest withRate(int messagesPerSecond) {
        return new RedriveRequest(way, target, canary, OptionalInt.of(messagesPerSecond));
    }
}
