package dev.waybill.relay;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the bodies that were kept outside their messages, a retention after the relay has found the message published. Any
 * number of relays may do so side by side. Not thread-safe: one thread calls {@link #step()}.
 */
final class ClaimCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimCleanup.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration REST_WITH_MORE_TO_DO = Duration.ofMillis(100);

    private final DSLContext dsl;
    private final ClaimTable table;
    private final ClaimStore store;
    private final Duration retention;
    private final int chunk;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private UUID looked = ClaimTable.START;

    /** @param chunk most claims to look at, and to remove, in one step */
    ClaimCleanup(DSLContext dsl, ClaimTable table, ClaimStore store, Duration retention, int chunk) {
        this.dsl = dsl;
        this.table = table;
        this.store = store;
        this.retention = retention;
        this.chunk = chunk;
    }

    /** The failures of its steps. */
    Fault fault() {
        return fault;
    }

    /** Takes one step and says how long to rest; a failure is told and waited out, never thrown. */
    Duration step() {
        try {
            looked = table.notePublished(looked, chunk);
            table.expire(retention, chunk);
            int removed = remove(table.removing(chunk));
            fault.over("Bodies that nobody needs any more are removed again");
            return removed == chunk || !looked.equals(ClaimTable.START) ? REST_WITH_MORE_TO_DO : INTERVAL;
        } catch (RuntimeException e) {
            fault.met("Bodies that nobody needs any more could not be removed, and it is tried again", e);
            return INTERVAL;
        }
    }

    // The body goes first: what is left after a crash is a claim that is removed again.
    private int remove(List<UUID> claims) {
        if (!claims.isEmpty()) {
            dsl.connection(connection -> store.remove(connection, claims));
            table.delete(claims);
        }
        return claims.size();
    }
}
