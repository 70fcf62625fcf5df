package dev.waybill.deadletter;

import java.util.List;
import java.util.Map;

/**
 * What a re-drive would do.
 *
 * @param messages open letters that it would take
 * @param destinations how many of them would go where
 * @param quarantined further letters of the filter that are quarantined and stay
 * @param obstacles why it cannot begin, at most 20
 */
public record RedrivePlan(
        long messages, long sessions, Map<String, Long> destinations, long quarantined, List<String> obstacles) {
    public boolean isPossible() {
        return obstacles.isEmpty();
    }
}
