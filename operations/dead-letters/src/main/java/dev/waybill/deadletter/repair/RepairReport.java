package dev.waybill.deadletter.repair;

import java.util.Map;

/**
 * The decisions of the rules, or those that they would make.
 *
 * @param counts by the rules' names, in their order
 * @param refused why each that was to come back cannot, by its id; it is as it was, and counted as failed
 */
public record RepairReport(Map<String, Count> counts, Map<Long, String> refused) {
    /**
     * The decisions of one rule.
     *
     * @param fixed edited and brought back
     * @param redriven brought back as they are
     * @param discarded closed
     * @param left as they were
     * @param failed as they were, because the rule threw something, the edit failed or they cannot go
     */
    public record Count(int fixed, int redriven, int discarded, int left, int failed) {
        static final Count NONE = new Count(0, 0, 0, 0, 0);
    }
}
