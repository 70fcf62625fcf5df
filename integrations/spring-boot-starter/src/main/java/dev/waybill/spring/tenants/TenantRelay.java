package dev.waybill.spring.tenants;

import dev.waybill.relay.Relay;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The turns of one tenant, one at a time. Thread-safe. */
final class TenantRelay {
    private static final Logger LOG = LoggerFactory.getLogger(TenantRelay.class);
    private static final Duration FIRST_REST = Duration.ofSeconds(1);

    /** While messages wait that cannot be published now: the broker is away, or another process publishes them. */
    private static final Duration LONGEST_PENDING = Duration.ofSeconds(15);

    private final Tenant tenant;
    private final Supplier<OptionalLong> look;
    private final Supplier<Relay> relay;
    private final Duration longestRest;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private Duration rest;
    private long dueAt = System.nanoTime();
    private boolean busy;
    private boolean woken;
    private volatile @Nullable String trouble;

    /** {@code look} is as {@link Look#millisUntilDue}; {@code relay} builds one that takes turns. */
    TenantRelay(Tenant tenant, Supplier<OptionalLong> look, Supplier<Relay> relay, Duration longestRest) {
        this.tenant = tenant;
        this.look = look;
        this.relay = relay;
        this.longestRest = longestRest;
        rest = shorter(FIRST_REST, longestRest);
    }

    Tenant tenant() {
        return tenant;
    }

    /** Why its last turn failed; null if it did not. */
    @Nullable String trouble() {
        return trouble;
    }

    /** Nanoseconds until its next turn, which nobody takes while one is under way. */
    synchronized long dueIn() {
        return busy ? Long.MAX_VALUE : Math.max(0, dueAt - System.nanoTime());
    }

    synchronized void wake() {
        woken = true;
        dueAt = System.nanoTime();
    }

    synchronized void begin() {
        busy = true;
        woken = false;
    }

    private synchronized void end(Duration pause) {
        busy = false;
        if (!woken) {
            dueAt = System.nanoTime() + pause.toNanos();
        }
    }

    /** Takes the turn that has {@linkplain #begin begun}. Logs a failure instead of throwing it. */
    void run() {
        Duration pause = longestRest;
        try {
            pause = turn();
            trouble = null;
            fault.recovered("Tenant '" + tenant.name() + "' is relayed again");
        } catch (SQLException | RuntimeException e) {
            pause = nextRest(longestRest);
            trouble = RootCause.of(e);
            fault.failed("Tenant '" + tenant.name() + "' is not relayed; its messages wait for a retry", e);
        } finally {
            end(pause);
        }
    }

    private Duration turn() throws SQLException {
        tenant.prepare();
        OptionalLong millis = look.get();
        if (millis.isEmpty()) {
            return nextRest(longestRest);
        }
        if (millis.getAsLong() > 0) {
            return shorter(nextRest(longestRest), Duration.ofMillis(millis.getAsLong()));
        }
        if (publish() > 0) {
            rest = shorter(FIRST_REST, longestRest);
            return Duration.ZERO;
        }
        return nextRest(shorter(LONGEST_PENDING, longestRest));
    }

    private int publish() {
        try (Relay turn = relay.get()) {
            return turn.publishCommitted();
        }
    }

    private Duration nextRest(Duration longest) {
        Duration now = shorter(rest, longest);
        rest = shorter(rest.multipliedBy(2), longestRest);
        return now;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
