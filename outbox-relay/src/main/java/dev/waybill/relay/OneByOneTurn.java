package dev.waybill.relay;

import dev.waybill.relay.Cursor.LateRows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the message that ends the process that sends it. A lane that was taken over again and again where it
 * stands is sent one message at a time, each written down before it is sent; whoever takes the lane over next
 * holds the one that was written down. Slow, but only for such a lane.
 */
final class OneByOneTurn {
    private static final Logger LOG = LoggerFactory.getLogger(OneByOneTurn.class);

    /**
     * A turn may have sent this many messages beyond the recorded position before it died; the culprit is one of
     * them.
     */
    private static final int WATCHED_ROWS = 2_000;

    /** A page of a lane that is read alone. */
    private static final long PAGE_BYTES = 4L << 20;

    private final Shipping shipping;
    private final HoldPolicy policy;

    OneByOneTurn(Shipping shipping, HoldPolicy policy) {
        this.shipping = shipping;
        this.policy = policy;
    }

    /**
     * Why a lane must be sent with caution; null if it need not. Of a lane whose last owner died, this counts the
     * take-over.
     */
    @Nullable CrashSuspect grave(LaneState state, RelayTables tables) {
        if (state.caution().isOrphaned()) {
            count(state, tables);
        }
        @Nullable CrashSuspect suspicion = state.caution().suspicion();
        return suspicion != null && suspicion.isGrave() ? suspicion : null;
    }

    // Only where there is something to send: a quiet lane has killed nobody.
    private void count(LaneState state, RelayTables tables) {
        long position = state.cursor().position();
        Page page = tables.reader().read(Map.of(state.lane(), state.cursor()), new PageLimit(1, 1, true));
        if (page.isPaused()) {
            return;
        }
        if (!page.isEmpty() || page.isLateCut() || page.leavesBehind(state.lane(), position)) {
            state.caution().suspect(tables.suspicions().takeOver(state.lane(), state.epoch(), state.cursor()));
        }
        state.caution().adopted();
    }

    /**
     * Sends the next page of a lane; the caller settles, then calls {@link #settled}. Null if there is none to
     * send.
     */
    @Nullable Walk walk(LaneState state, CrashSuspect suspicion, RelayTables tables) {
        Page page = next(state, tables);
        if (page.isPaused()) {
            return null;
        }
        tell(state, suspicion);
        var send = new Careful(state, suspicion, tables, run(state, page));
        List<OutboxRow> rows =
                page.isLateCut() ? page.late().getOrDefault(state.lane(), List.of()) : page.rows(state.lane());
        boolean whole = send.all(rows);
        send.note(null);
        boolean more = !whole
                || page.isLateCut()
                || page.leavesBehind(state.lane(), state.cursor().position());
        return new Walk(send.run, more, rows.size());
    }

    private static Page next(LaneState state, RelayTables tables) {
        var from = Map.of(state.lane(), state.cursor());
        var limit = new PageLimit(tables.pageRows(), PAGE_BYTES, true);
        @Nullable LateRows late = state.cursor().late();
        return late == null
                ? tables.reader().read(from, limit)
                : tables.reader().readMoreLate(from, Page.cutAt(late), limit);
    }

    private static void tell(LaneState state, CrashSuspect suspicion) {
        if (state.caution().tells()) {
            LOG.warn(
                    "Bucket {} of '{}' has lost its owner {} times where it stands; its messages are sent one by one",
                    state.lane().bucket(),
                    state.lane().destination(),
                    suspicion.takeovers());
        }
    }

    private LanePage run(LaneState state, Page page) {
        long from = state.cursor().position();
        var origin = new PageOrigin(from, page.snapshot(), state.cursor().lateReached());
        @Nullable Cursor after =
                page.isLateCut() ? null : new Cursor(page.reach(state.lane(), from), page.snapshot(), Cursor.UNBOUNDED);
        var aside = new HeldSessions(state.lane().destination(), policy);
        return new LanePage(origin, after, List.of(), aside, CompletableFuture.completedFuture(true));
    }

    /** After the settle: goes on with caution, or trusts the lane again. */
    void settled(LaneState state, Walk walk, RelayTables tables) {
        if (walk.more && state.caution().watched(walk.rows) < WATCHED_ROWS) {
            tables.suspicions().follow(state.lane(), state.epoch(), state.cursor());
            state.caution().acquit();
        } else {
            tables.suspicions().clear(state.lane(), state.epoch());
            state.caution().suspect(null);
        }
    }

    /** Sends a lane's rows one at a time, each written down first. */
    private final class Careful {
        private final LaneState state;
        private final CrashSuspect suspicion;
        private final RelayTables tables;
        private final LanePage run;

        Careful(LaneState state, CrashSuspect suspicion, RelayTables tables, LanePage run) {
            this.state = state;
            this.suspicion = suspicion;
            this.tables = tables;
            this.run = run;
        }

        boolean all(List<OutboxRow> rows) {
            return rows.stream().allMatch(row -> suspicion.convicts(row) ? hold(row) : sendAlone(row));
        }

        private boolean sendAlone(OutboxRow row) {
            shipping.liveness().moved();
            note(row.seq());
            return run.sendNow(List.of(row), shipping.of(run));
        }

        private boolean hold(OutboxRow row) {
            var why = new DeadlyMessageException(row, suspicion.takeovers());
            LOG.error(why.getMessage());
            if (!suspicion.culprits().contains(row.seq())) {
                require(state, tables.suspicions().convict(state.lane(), state.epoch(), row.seq()));
            }
            return run.sendNow(List.of(row), rows -> CompletableFuture.completedFuture(PublishResult.refused(0, why)));
        }

        void note(@Nullable Long seq) {
            require(state, tables.suspicions().start(state.lane(), state.epoch(), seq));
        }
    }

    private static void require(LaneState state, boolean noted) {
        if (!noted) {
            throw new LaneLostException(state.lane());
        }
    }

    /**
     * The result of sending one by one.
     *
     * @param more whether to go on with caution
     */
    record Walk(LanePage run, boolean more, int rows) {}
}
