package dev.waybill.relay;

import java.time.Duration;

/**
 * Polling, batches and lease of a relay; the defaults suit most services. See {@link Relay.Builder#tuning}. Not thread-safe.
 */
public final class RelayTuning {
    private static final int MOST_BATCH_ROWS = 10_000;
    private static final Duration LONGEST = Duration.ofDays(1);

    Duration leaseDuration = Duration.ofSeconds(15);
    Duration pollInterval = Duration.ofMillis(8);
    Duration longestIdle = Duration.ofMillis(500);
    int batchRows = 100;
    boolean listening = true;
    boolean singleConnection;

    RelayTuning() {}

    /**
     * The lease on destinations, and thus the longest pause after a crash; 1 s to 1 day. Default: 15 s. A relay that cannot
     * renew it for three quarters of this time stops sending.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public RelayTuning leaseDuration(Duration leaseDuration) {
        this.leaseDuration =
                Setting.within(Duration.ofSeconds(1), leaseDuration, LONGEST, "A lease takes 1 s to 1 day");
        return this;
    }

    /**
     * The shortest time between two polls; 0 to 1 day. Default: 8 ms. A single message is read at once. A longer time lowers
     * the database's load and delays messages.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public RelayTuning pollInterval(Duration pollInterval) {
        this.pollInterval =
                Setting.within(Duration.ZERO, pollInterval, LONGEST, "The interval between polls is 0 to 1 day");
        return this;
    }

    /**
     * The longest time between two polls of an idle destination; 1 ms to 1 day. Default: 500 ms.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public RelayTuning longestIdle(Duration longestIdle) {
        this.longestIdle = Setting.within(
                Duration.ofMillis(1), longestIdle, LONGEST, "The longest time between polls is 1 ms to 1 day");
        return this;
    }

    /**
     * Most messages in a batch, 1 to 10,000. Default: 100. A destination has up to 32 batches in flight, at most one for each
     * session.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public RelayTuning batchRows(int batchRows) {
        Setting.require(
                batchRows >= 1 && batchRows <= MOST_BATCH_ROWS,
                "A batch has 1 to " + MOST_BATCH_ROWS + " messages, not " + batchRows);
        this.batchRows = batchRows;
        return this;
    }

    /**
     * Whether notifications of writers in other processes wake the relay. This takes a connection that must not go through a
     * pooler in transaction mode. Otherwise such messages wait for the next poll. Default: true.
     */
    public RelayTuning listening(boolean listening) {
        this.listening = listening;
        return this;
    }

    /**
     * Whether {@link Relay#publishCommitted} takes one connection at a time and returns it after each statement or transaction;
     * for processes that serve many databases in turn. Such a relay cannot be started. It does not check that the data source
     * returns separate connections: give it a pool. Claims and releases are logged at DEBUG. Default: false.
     */
    public RelayTuning singleConnection(boolean singleConnection) {
        this.singleConnection = singleConnection;
        return this;
    }
}
