package dev.waybill.standalone.servicebus;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A queue, topic or subscription as the namespace has it. What a kind does not have is empty, zero or false.
 *
 * @param path {@code orders} or {@code events/Subscriptions/fraud}
 * @param duplicateWindow zero if duplicates are not detected
 * @param maxMessageBytes 0 if the entity does not say
 * @param sizeShare how full it is, 0 to 1
 * @param rules SQL of the rules by name; a correlation filter as text
 */
public record EntityProperties(
        String path,
        boolean topic,
        boolean requiresSession,
        boolean partitioned,
        Duration duplicateWindow,
        Duration lockDuration,
        int maxDeliveryCount,
        Duration timeToLive,
        boolean deadLetterOnExpiry,
        Optional<String> forwardTo,
        Optional<String> forwardDeadLettersTo,
        String status,
        long maxMessageBytes,
        double sizeShare,
        long active,
        long deadLetters,
        long transferDeadLetters,
        Map<String, String> rules) {
    /** Copies the map. */
    public EntityProperties {
        rules = Map.copyOf(rules);
    }
}
