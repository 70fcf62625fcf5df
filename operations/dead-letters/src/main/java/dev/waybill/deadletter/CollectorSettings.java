package dev.waybill.deadletter;

/**
 * How dead letters are collected.
 *
 * @param batch most messages in one transaction; all of them are in memory at once
 * @param completionsInFlight most completions on their way to the broker; as many again wait in memory for their turn
 * @param mostRedrives a message that comes after so many re-drives is quarantined
 */
public record CollectorSettings(int batch, int completionsInFlight, int mostRedrives) {
    /** Batches of 100, 256 completions in flight, quarantine after 3 re-drives. */
    public static final CollectorSettings DEFAULT = new CollectorSettings(100, 256, 3);

    /** Refuses numbers below 1. */
    public CollectorSettings {
        if (batch < 1 || completionsInFlight < 1 || mostRedrives < 1) {
            throw new IllegalArgumentException("Batch (" + batch + "), completions in flight (" + completionsInFlight
                    + ") and most re-drives (" + mostRedrives + ") must be at least 1");
        }
    }

    /** The same with other batches. */
    public CollectorSettings withBatch(int most) {
        return new CollectorSettings(most, completionsInFlight, mostRedrives);
    }

    /** The same with quarantine after another number of re-drives. */
    public CollectorSettings withMostRedrives(int most) {
        return new CollectorSettings(batch, completionsInFlight, most);
    }
}
