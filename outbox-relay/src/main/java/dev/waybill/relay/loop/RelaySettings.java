package dev.waybill.relay.loop;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.Publisher;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Validated settings of a relay. Immutable. */
public record RelaySettings(
        Database database,
        Map<String, HoldPolicy> destinations,
        Publisher publisher,
        Duration leaseDuration,
        Polling polling,
        Keeping keeping) {
    private static final Duration LEAST_ANSWER = Duration.ofSeconds(1);

    /** The database, and the relay's name in it. {@code single}: the relay takes one connection at a time. */
    public record Database(DataSource dataSource, SchemaName schema, String relay, boolean listening, boolean single) {}

    /** The poll intervals, and the most rows of a batch. */
    public record Polling(Duration interval, Duration longestIdle, int batchRows) {}

    /** Retention of published messages by destination, and of bodies if the relay deletes any. */
    public record Keeping(
            Map<String, Duration> retained, @Nullable Claims claims) {}

    public record Claims(ClaimStore store, Duration retention) {}

    /** The timeout of statements and connections: short enough to recover within the lease. */
    Duration longestAnswer() {
        Duration share = leaseDuration.multipliedBy(2).dividedBy(3);
        return share.compareTo(LEAST_ANSWER) < 0 ? LEAST_ANSWER : share;
    }

    /** Longer than any turn of the loop. */
    Duration longestTurn() {
        return longestAnswer().plus(leaseDuration);
    }
}
