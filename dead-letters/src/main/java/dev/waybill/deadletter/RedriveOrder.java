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
public record RedriveOrder(Way way, Optional<String> target, OptionalInt canary, OptionalInt rate) {
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
    public RedriveOrder {
        if ((way == Way.SOURCE) == target.isPresent()) {
            throw new IllegalArgumentException("A re-drive to the source has no target, any other needs one");
        }
        if (canary.orElse(1) < 1 || rate.orElse(1) < 1) {
            throw new IllegalArgumentException("Canary and rate must be at least 1");
        }
    }

    /** To where they came from. */
    public static RedriveOrder toSource() {
        return new RedriveOrder(Way.SOURCE, Optional.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    /** To another queue or topic. */
    public static RedriveOrder toEntity(String destination) {
        return new RedriveOrder(Way.ENTITY, Optional.of(destination), OptionalInt.empty(), OptionalInt.empty());
    }

    /** Only to the consumer that failed, by its name in the inbox of the same database. */
    public static RedriveOrder toConsumer(String consumer) {
        return new RedriveOrder(Way.CONSUMER, Optional.of(consumer), OptionalInt.empty(), OptionalInt.empty());
    }

    /** The same, that pauses after so many until it is resumed. */
    public RedriveOrder withCanary(int messages) {
        return new RedriveOrder(way, target, OptionalInt.of(messages), rate);
    }

    /** The same, with at most so many messages in a second. */
    public RedriveOrder withRate(int messagesPerSecond) {
        return new RedriveOrder(way, target, canary, OptionalInt.of(messagesPerSecond));
    }
}
