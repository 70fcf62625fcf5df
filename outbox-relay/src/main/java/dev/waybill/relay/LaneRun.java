package dev.waybill.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One lane's share of one page: what is sent of it, and how far that came. A lane that failed takes no part in what
 * follows, of this page or of the pages read ahead, so that nothing overtakes what failed. Written by the publisher's
 * threads one after the other, read when all have ended.
 */
final class LaneRun {
    private final Lane lane;
    private final LaneState state;
    private final Cursor from;
    private final CompletableFuture<Boolean> intactBefore;
    private CompletableFuture<Boolean> intact;
    private long readUpTo;
    private long position;
    private int accepted;
    private boolean brokeInLate;
    private volatile boolean givenUp;
    private @Nullable Throwable failure;

    private LaneRun(Lane lane, LaneState state, Cursor from, CompletableFuture<Boolean> intact) {
        this.lane = lane;
        this.state = state;
        this.from = from;
        this.intactBefore = intact;
        this.intact = intact;
        this.readUpTo = from.position();
        this.position = from.position();
    }

    /** The first of a turn: goes on from where the lane is known to be. */
    static LaneRun first(Lane lane, LaneState state) {
        return new LaneRun(lane, state, state.cursor(), CompletableFuture.completedFuture(true));
    }

    /** The same lane's run over the page after this one's, which was read with this snapshot. */
    LaneRun next(String snapshot) {
        return new LaneRun(lane, state, new Cursor(readUpTo, snapshot, Cursor.UNBOUNDED), intact);
    }

    Lane lane() {
        return lane;
    }

    LaneState state() {
        return state;
    }

    /** Where this run's page begins; published only once the runs before this one have come so far. */
    Cursor from() {
        return from;
    }

    /** Learns how far the page goes. */
    void read(Page page, int limit) {
        readUpTo = page.reach(lane, from.position(), limit);
    }

    long readUpTo() {
        return readUpTo;
    }

    /** What there is to send of these: late rows first. */
    List<OutboxRow> rows(Map<Lane, List<OutboxRow>> late, Map<Lane, List<OutboxRow>> fresh) {
        var rows = new ArrayList<>(late.getOrDefault(lane, List.of()));
        rows.addAll(fresh.getOrDefault(lane, List.of()));
        return rows;
    }

    /** Sends rows once everything sent before is accepted, and not at all if it was not. */
    CompletableFuture<?> send(List<OutboxRow> rows, Function<List<OutboxRow>, CompletableFuture<PublishResult>> ship) {
        if (!rows.isEmpty()) {
            intact = intact.thenCompose(whole -> whole
                    ? ship.apply(rows).thenApply(result -> add(result, rows))
                    : CompletableFuture.completedFuture(false));
        }
        return intact;
    }

    private boolean add(PublishResult result, List<OutboxRow> rows) {
        long lateRows = rows.stream().filter(this::isLate).count();
        accepted += result.accepted();
        brokeInLate = result.accepted() < lateRows;
        failure = result.failure();
        if (result.accepted() > lateRows) {
            position = rows.get(result.accepted() - 1).seq();
        }
        return result.accepted() == rows.size();
    }

    private boolean isLate(OutboxRow row) {
        return row.seq() <= from.position();
    }

    /** Lets nothing more be sent. */
    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /**
     * Whether the cursor may move: not while rows of an earlier page are unsent, and a late row that was not accepted
     * would be lost with the old snapshot.
     */
    boolean maySettle() {
        return intactBefore.join() && !brokeInLate;
    }

    /** Whether the broker accepted anything. */
    boolean moved() {
        return accepted > 0;
    }

    /** As far as the page goes if all of it was accepted, else the last row that was; where the run began if none was. */
    long position() {
        return intact.join() ? readUpTo : position;
    }

    TurnOutcome outcome() {
        return new TurnOutcome(accepted, failure);
    }
}
