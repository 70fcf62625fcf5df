package dev.waybill.deadletter;

/**
 * Limits of a collector.
 *
 * @param batch most letters in one transaction; all of them are in memory
 * @param completionsInFlight most unanswered completions; as many again wait in memory
 * @param mostRedrives re-drives after which a message that dies again is quarantined
 */
public record CollectorSettings(int batch, int completionsInFlight, int mostRedrives) {
    /** Batches of 100, 256 completions in flight, quarantine after 3 re-drives. */
    public static final CollectorSettings DEFAULT = new CollectorSettings(100, 256, 3);

    public CollectorSettings {
        if (batch < 1 || completionsInFlight < 1 || mostRedrives < 1) {
            throw new IllegalArgumentException("Batch (" + batch + "), completions in flight (" + completionsInFlight
                    + ") and most re-drives (" + mostRedrives + ") must be at least 1");
        }
    }

    public CollectorSettings withBatch(int most) {
        return new CollectorSettings(most, completionsInFlight, mostRedrives);
    }

    public CollectorSettings withMostRedrives(int most) {
        return new CollectorSettings(batch, completionsInFlight, most);
    }
}
