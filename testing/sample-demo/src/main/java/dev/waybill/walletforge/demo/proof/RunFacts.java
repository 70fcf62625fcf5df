package dev.waybill.walletforge.demo.proof;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Facts that the checker cannot see for itself.
 *
 * @param transactions distinct payments that the input holds
 * @param resends lines of the input that repeat one
 * @param relayRestarts how often a relay was stopped without warning and another one started
 * @param restartsDue how often it should have been
 * @param seconds from the first payment to the last balance
 * @param injections what was done to the run on purpose, and how often
 */
public record RunFacts(
        long transactions,
        long resends,
        int relayRestarts,
        int restartsDue,
        double seconds,
        Map<String, Integer> injections) {
    /** Keeps the order of the injections. */
    public RunFacts {
        injections = Collections.unmodifiableMap(new LinkedHashMap<>(injections));
    }

    /** A run that nothing was done to but kills. */
    public RunFacts(long transactions, long resends, int relayRestarts, int restartsDue, double seconds) {
        this(transactions, resends, relayRestarts, restartsDue, seconds, Map.of());
    }
}
