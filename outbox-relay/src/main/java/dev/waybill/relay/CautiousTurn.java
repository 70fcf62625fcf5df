package dev.waybill.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the message that ends the process that sends it. A lane that was taken over again and again where it stands is sent
 * one message at a time, each written down before it is sent; whoever takes the lane over next holds the one that was
 * written down. Slow, but only for such a lane.
 */
final class CautiousTurn {
    private static final Logger LOG = LoggerFactory.getLogger(CautiousTurn.class);

    /** A turn may have sent this many messages beyond the recorded position before it died; the culprit is one of them. */
    private static final int WATCHED_ROWS = 2_000;

    private final RelayTables tables;
    private final Wave wave;

    CautiousTurn(RelayTables tables, Wave wave) {
        this.tables = tables;
        this.wave = wave;
    }

    /** Why a lane must be sent with caution; null if it need not. Of a lane whose last owner died, this counts the take-over. */
    @Nullable Suspicion grave(Lane lane, LaneState state) {
        if (state.isOrphaned()) {
            count(lane, state);
        }
        @Nullable Suspicion suspicion = state.suspicion();
        return suspicion != null && suspicion.isGrave() ? suspicion : null;
    }

    // Only where there is something to send: a quiet lane has killed nobody.
    private void count(Lane lane, LaneState state) {
        long position = state.cursor().position();
        Page page = tables.reader().read(Map.of(lane, state.cursor()), 1);
        if (page.isPaused()) {
            return;
        }
        if (!page.isEmpty() || page.reach(lane, position, 1) < page.drawn()) {
            state.suspect(tables.suspicions().takeOver(lane, state.lease(), position));
        }
        state.adopted();
    }

    /** Sends the next page of a lane; the caller settles, then calls {@link #settled}. Null if there is none to send. */
    @Nullable Walk walk(Lane lane, LaneState state, Suspicion suspicion, HoldPolicy policy) {
        Page page = tables.reader().read(Map.of(lane, state.cursor()), tables.pageRows());
        if (page.isPaused()) {
            return null;
        }
        LaneRun run = LaneRun.first(lane, state, policy);
        run.read(page, tables.pageRows());
        List<OutboxRow> rows = everything(lane, state, page);
        LOG.warn(
                "Bucket {} of '{}' has lost its owner {} times where it stands; its messages are sent one by one",
                lane.bucket(),
                lane.destination(),
                suspicion.takeovers());
        boolean whole = rows.stream()
                .allMatch(row -> suspicion.convicts(row) ? hold(run, row, suspicion) : sendAlone(run, row));
        note(run, null);
        return new Walk(run, page.snapshot(), !whole || run.readUpTo() < page.drawn(), rows.size());
    }

    /** After the settle: goes on with caution, or trusts the lane again. */
    void settled(Lane lane, LaneState state, Walk walk) {
        if (walk.more && state.watched(walk.rows) < WATCHED_ROWS) {
            tables.suspicions().follow(lane, state.lease(), state.cursor().position());
            state.acquit();
        } else {
            tables.suspicions().clear(lane, state.lease());
            state.suspect(null);
        }
    }

    private List<OutboxRow> everything(Lane lane, LaneState state, Page page) {
        var rows = new ArrayList<OutboxRow>(page.late().getOrDefault(lane, List.of()));
        Page late = page;
        while (late.moreLate()) {
            late = tables.reader().readMoreLate(Map.of(lane, state.cursor()), page, late.lastLate(), tables.pageRows());
            rows.addAll(late.late().getOrDefault(lane, List.of()));
        }
        rows.addAll(page.fresh().getOrDefault(lane, List.of()));
        return rows;
    }

    private boolean sendAlone(LaneRun run, OutboxRow row) {
        note(run, row.seq());
        return wave.send(run, List.of(row)).join();
    }

    private boolean hold(LaneRun run, OutboxRow row, Suspicion suspicion) {
        var why = new DeadlyMessageException(row, suspicion.takeovers());
        LOG.error(why.getMessage());
        if (!suspicion.culprits().contains(row.seq())) {
            require(run, tables.suspicions().convict(run.lane(), run.state().lease(), row.seq()));
        }
        return run.send(List.of(row), rows -> CompletableFuture.completedFuture(PublishResult.refused(0, why)))
                .join();
    }

    private void note(LaneRun run, @Nullable Long seq) {
        require(run, tables.suspicions().start(run.lane(), run.state().lease(), seq));
    }

    private static void require(LaneRun run, boolean noted) {
        if (!noted) {
            throw new IllegalStateException(
                    "Bucket " + run.lane().bucket() + " belongs to another relay now; nothing of it is sent");
        }
    }

    /**
     * What was sent one by one.
     *
     * @param more whether to go on with caution
     */
    record Walk(LaneRun run, String snapshot, boolean more, int rows) {}
}
