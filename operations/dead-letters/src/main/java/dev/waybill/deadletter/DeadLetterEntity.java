package dev.waybill.deadletter;

import dev.waybill.message.BrokerNames;
import java.util.Optional;

/**
 * The dead-letter queue of a queue or subscription.
 *
 * @param path as the broker names it: {@code orders}, {@code events/Subscriptions/audit}
 * @param transfer whether it is the transfer dead-letter queue
 * @param destination the queue or topic that re-driven copies go to
 */
public record DeadLetterEntity(String path, boolean transfer, String destination) {
    private static final String SUBSCRIPTIONS = "/Subscriptions/";

    public static DeadLetterEntity queue(String queue) {
        return new DeadLetterEntity(queue, false, queue);
    }

    public static DeadLetterEntity subscription(String topic, String subscription) {
        return new DeadLetterEntity(topic + SUBSCRIPTIONS + subscription, false, topic);
    }

    /** By path; a path without a subscription is a queue. */
    public static DeadLetterEntity ofPath(String path, boolean transfer) {
        int at = BrokerNames.key(path).indexOf(BrokerNames.key(SUBSCRIPTIONS));
        if (at < 0) {
            return new DeadLetterEntity(path, transfer, path);
        }
        String topic = path.substring(0, at);
        return new DeadLetterEntity(
                topic + SUBSCRIPTIONS + path.substring(at + SUBSCRIPTIONS.length()), transfer, topic);
    }

    /** The name of the subscription; empty for a queue. */
    public Optional<String> subscription() {
        int at = path.indexOf(SUBSCRIPTIONS);
        return at < 0 ? Optional.empty() : Optional.of(path.substring(at + SUBSCRIPTIONS.length()));
    }

    public DeadLetterEntity transfers() {
        return new DeadLetterEntity(path, true, destination);
    }

    @Override
    public String toString() {
        return path + (transfer ? "/$Transfer/$DeadLetterQueue" : "/$DeadLetterQueue");
    }
}
