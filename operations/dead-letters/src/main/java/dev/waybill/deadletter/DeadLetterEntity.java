package dev.waybill.deadletter;

import java.util.Optional;

/**
 * A queue or subscription that has dead letters.
 *
 * @param path as the broker names it: {@code orders}, {@code events/Subscriptions/audit}
 * @param transfer whether these are its transfer dead letters, which it could not pass on
 * @param destination the queue or topic that its messages are sent to, and re-driven to
 */
public record DeadLetterEntity(String path, boolean transfer, String destination) {
    private static final String SUBSCRIPTIONS = "/Subscriptions/";

    /** The dead letters of a queue. */
    public static DeadLetterEntity queue(String queue) {
        return new DeadLetterEntity(queue, false, queue);
    }

    /** The dead letters of a subscription; their way back leads through the topic. */
    public static DeadLetterEntity subscription(String topic, String subscription) {
        return new DeadLetterEntity(topic + SUBSCRIPTIONS + subscription, false, topic);
    }

    /** By its path; what is no subscription is a queue. */
    public static DeadLetterEntity ofPath(String path, boolean transfer) {
        int at = path.indexOf(SUBSCRIPTIONS);
        return new DeadLetterEntity(path, transfer, at < 0 ? path : path.substring(0, at));
    }

    /** The name of the subscription; empty for a queue. */
    public Optional<String> subscription() {
        int at = path.indexOf(SUBSCRIPTIONS);
        return at < 0 ? Optional.empty() : Optional.of(path.substring(at + SUBSCRIPTIONS.length()));
    }

    /** Those that the same queue or subscription could not pass on. */
    public DeadLetterEntity transfers() {
        return new DeadLetterEntity(path, true, destination);
    }

    @Override
    public String toString() {
        return path + (transfer ? "/$Transfer/$DeadLetterQueue" : "/$DeadLetterQueue");
    }
}
