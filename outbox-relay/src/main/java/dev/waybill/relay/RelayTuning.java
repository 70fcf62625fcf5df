package dev.waybill.relay;

import java.time.Duration;

/** How a relay works; the defaults suit most services. Given to {@link Relay.Builder#tuning}. Not thread-safe. */
public final class RelayTuning {
    private static final int MOST_BATCH_ROWS = 10_000;
    private static final Duration LONGEST = Duration.ofDays(1);

    Duration leaseDuration = Duration.ofSeconds(15);
    Duration pollInterval = Duration.ofMillis(8);
    Duration longestIdle = Duration.ofMillis(500);
    int batchRows = 100;
    boolean listening = true;

    RelayTuning() {}

    /**
     * How long a crashed relay's destinations stand still; 1 s to 1 day. Default: 15 s. A relay that cannot
     * renew for three quarters of it stops sending.
     *
     * @throws IllegalArgumentException if it is shorter or longer
     */
    public RelayTuning leaseDuration(Duration leaseDuration) {
        this.leaseDuration =
                Setting.within(Duration.ofSeconds(1), leaseDuration, LONGEST, "A lease takes 1 s to 1 day");
        return this;
    }

    /**
     * The shortest time between two polls for new messages. A message that comes alone is read at once. Longer makes each
     * message cheaper for the database, and later. Default: 8 ms.
     *
     * @throws IllegalArgumentException if it is negative or longer than a day
     */
    public RelayTuning pollInterval(Duration pollInterval) {
        this.pollInterval =
                Setting.within(Duration.ZERO, pollInterval, LONGEST, "The interval between polls is 0 to 1 day");
        return this;
    }

    /**
     * The longest time between two polls of an idle destination. Default: 500 ms.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than a day
     */
    public RelayTuning longestIdle(Duration longestIdle) {
        this.longestIdle =
                Setting.within(Duration.ofMillis(1), longestIdle, LONGEST, "The longest idle rest is 1 ms to 1 day");
        return this;
    }

    /**
     * Most messages in a batch. A destination sends up to 32 batches side by side, never two of one session. Default: 100.
     *
     * @throws IllegalArgumentException if it is less than 1 or more than 10,000
     */
    public RelayTuning batchRows(int batchRows) {
        Setting.require(
                batchRows >= 1 && batchRows <= MOST_BATCH_ROWS,
                "A batch has 1 to " + MOST_BATCH_ROWS + " messages, not " + batchRows);
        this.batchRows = batchRows;
        return this;
    }

    /**
     * Whether writers in other processes may wake the relay by a notification. It takes a connection of its
     * own, which must not go through a pooler that shares server connections between transactions. Without it,
     * a message waits for the next look. Default: true.
     */
    public RelayTuning listening(boolean listening) {
        this.listening = listening;
        return this;
    }
}
