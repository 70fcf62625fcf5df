package dev.waybill.relay.loop;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.Publisher;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a relay, as its builder has checked them. Immutable.
 * */
public record RelaySettings(
        Database database,
        Map<String, HoldPolicy> destinations,
        Publisher publisher,
        Duration leaseDuration,
        Polling polling,
        Keeping keeping) {
    private static final Duration LEAST_ANSWER = Duration.ofSeconds(1);

    /**
     * The database that the relay works on.
     *
     * @param relay the relay's name there
     * @param listening whether writers may wake the relay by a notification
     */
    public record Database(DataSource dataSource, SchemaName schema, String relay, boolean listening) {}

    /**
     * How new messages are polled for.
     *
     * @param batchRows most rows that a lane sends at once
     */
    public record Polling(Duration interval, Duration longestIdle, int batchRows) {}

    /**
     * What is kept after a message is published.
     *
     * @param retained how long published messages of some destinations are kept
     * @param claims null if the relay removes no bodies that are kept outside their messages
     */
    public record Keeping(
            Map<String, Duration> retained, @Nullable Claims claims) {}

    /** Bodies that are kept outside their messages, and for how long. */
    public record Claims(ClaimStore store, Duration retention) {}

    /** After which a connection that answers nothing counts as lost: soon enough to go on within the lease. */
    Duration longestAnswer() {
        Duration share = leaseDuration.multipliedBy(2).dividedBy(3);
        return share.compareTo(LEAST_ANSWER) < 0 ? LEAST_ANSWER : share;
    }

    /** Longer than a turn of the loop ever takes. */
    Duration longestTurn() {
        return longestAnswer().plus(leaseDuration);
    }
}
