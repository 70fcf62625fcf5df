package dev.waybill.relay;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The settings of a relay. The builder has checked them. */
record RelayOptions(
        Database database,
        Map<String, HoldPolicy> destinations,
        Publisher publisher,
        Duration leaseDuration,
        Reading reading,
        Space space) {
    private static final Duration LONGEST_LOCK_WAIT = Duration.ofSeconds(1);

    /**
     * The database that the relay works on.
     *
     * @param relay the relay's name there
     * @param listening whether writers may wake the relay by a notification
     */
    record Database(DataSource dataSource, SchemaName schema, String relay, boolean listening) {}

    /** How new messages are looked for. */
    record Reading(Duration lookInterval, Duration longestIdle, int pageRows) {}

    /**
     * How long published messages take up space.
     *
     * @param partitionAge how long a partition is written to at most
     * @param claims null if bodies outside their messages are not removed
     */
    record Space(
            int historyPartitions,
            Duration partitionAge,
            @Nullable Claims claims) {}

    /** Bodies that are kept outside their messages, and for how long. */
    record Claims(ClaimStore store, Duration retention) {}

    /** After which a connection that says nothing counts as lost: soon enough to go on within the lease. */
    Duration longestAnswer() {
        Duration share = leaseDuration.multipliedBy(2).dividedBy(3);
        return share.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : share;
    }

    /**
     * For work that can be done later. Signs of life are given each third of a lease and trusted for three quarters of it, so one
     * may wait behind several pieces of such work.
     */
    Duration longestLockWait() {
        Duration share = leaseDuration.dividedBy(15);
        return share.compareTo(LONGEST_LOCK_WAIT) < 0 ? share : LONGEST_LOCK_WAIT;
    }

    /** Longer than a send and all limits of the database together. */
    Duration longestStep() {
        return publisher.longestSend().plus(longestAnswer()).plus(leaseDuration);
    }
}
