package dev.waybill.deadletter;

import java.util.List;
import java.util.Map;

/**
 * The effect that a re-drive would have.
 *
 * @param messages how many open dead letters it would take
 * @param sessions of how many sessions
 * @param destinations how many of them would go where
 * @param quarantined how many more the filter names that are quarantined and would stay
 * @param obstacles what keeps it from being begun, the first few
 */
public record RedrivePlan(
        long messages, long sessions, Map<String, Long> destinations, long quarantined, List<String> obstacles) {
    /** Whether it can be begun. */
    public boolean isPossible() {
        return obstacles.isEmpty();
    }
}
