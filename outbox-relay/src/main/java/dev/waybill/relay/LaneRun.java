package dev.waybill.relay;

import dev.waybill.hold.Cause;
import dev.waybill.relay.Aside.SetAside;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One lane's share of one page: what is sent of it, and how far that came. A refused row, and what must not overtake it, is
 * set aside and the rest goes on. A lane that failed takes no part in what follows, of this page or of the pages read
 * ahead, so that nothing overtakes what failed. Written by the publisher's threads one after the other, read when all have
 * ended.
 */
final class LaneRun {
    private final Lane lane;
    private final LaneState state;
    private final Cursor from;
    private final Aside aside;
    private final CompletableFuture<Boolean> intactBefore;
    private final List<SetAside> held = new ArrayList<>();
    private CompletableFuture<Boolean> intact;
    private long readUpTo;
    private long position;
    private int accepted;
    private boolean brokeInLate;
    private volatile boolean givenUp;
    private @Nullable Throwable failure;

    private LaneRun(Lane lane, LaneState state, Cursor from, Aside aside, CompletableFuture<Boolean> intact) {
        this.lane = lane;
        this.state = state;
        this.from = from;
        this.aside = aside;
        this.intactBefore = intact;
        this.intact = intact;
        this.readUpTo = from.position();
        this.position = from.position();
    }

    /** The first of a turn: goes on from where the lane is known to be. */
    static LaneRun first(Lane lane, LaneState state, HoldPolicy policy) {
        var aside = new Aside(lane.destination(), policy);
        return new LaneRun(lane, state, state.cursor(), aside, CompletableFuture.completedFuture(true));
    }

    /** The same lane's run over the page after this one's, which was read with this snapshot. */
    LaneRun next(String snapshot) {
        return new LaneRun(lane, state, new Cursor(readUpTo, snapshot, Cursor.UNBOUNDED), aside, intact);
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

    /** Sends rows once everything sent before has met its fate, and not at all if it has not. */
    CompletableFuture<Boolean> send(
            List<OutboxRow> rows, Function<List<OutboxRow>, CompletableFuture<PublishResult>> ship) {
        if (!rows.isEmpty()) {
            intact =
                    intact.thenCompose(whole -> whole ? deliver(rows, ship) : CompletableFuture.completedFuture(false));
        }
        return intact;
    }

    private CompletableFuture<Boolean> deliver(
            List<OutboxRow> rows, Function<List<OutboxRow>, CompletableFuture<PublishResult>> ship) {
        List<OutboxRow> free = rows.stream().filter(row -> !aside.takes(row)).toList();
        if (free.isEmpty()) {
            pass(rows, free);
            return CompletableFuture.completedFuture(true);
        }
        return ship.apply(free).thenCompose(result -> {
            accepted += result.accepted();
            if (result.accepted() == free.size()) {
                pass(rows, free);
                return CompletableFuture.completedFuture(true);
            }
            OutboxRow stopped = free.get(result.accepted());
            int passed = rows.indexOf(stopped);
            pass(rows.subList(0, passed), free.subList(0, result.accepted()));
            if (result.outcome() != Outcome.MESSAGE_REFUSED) {
                failure = result.failure();
                brokeInLate = isLate(stopped);
                return CompletableFuture.completedFuture(false);
            }
            refuse(stopped, result.failure());
            List<OutboxRow> rest = rows.subList(passed + 1, rows.size());
            return rest.isEmpty() ? CompletableFuture.completedFuture(true) : deliver(rest, ship);
        });
    }

    // The fate of these rows is known: some are accepted, and what was not sent is to be held.
    private void pass(List<OutboxRow> rows, List<OutboxRow> sent) {
        int next = 0;
        for (OutboxRow row : rows) {
            if (next < sent.size() && sent.get(next) == row) {
                next++;
            } else {
                held.add(aside.join(row));
            }
            reach(row);
        }
    }

    private void refuse(OutboxRow row, @Nullable Throwable why) {
        held.add(aside.refuse(row, causeOf(why)));
        reach(row);
    }

    private void reach(OutboxRow row) {
        if (!isLate(row)) {
            position = row.seq();
        }
    }

    static Cause causeOf(@Nullable Throwable why) {
        return why == null
                ? new Cause("Refused", "The publisher gave no reason")
                : new Cause(why.getClass().getSimpleName(), String.valueOf(why.getMessage()));
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

    /** Whether any row has met its fate. */
    boolean moved() {
        return outcome().moved();
    }

    /**
     * As far as the page goes if every row of it has met its fate, else the last row that has; where the run began if none
     * has.
     */
    long position() {
        return intact.join() ? readUpTo : position;
    }

    /** What was set aside, in order. */
    List<SetAside> held() {
        return held;
    }

    TurnOutcome outcome() {
        return new TurnOutcome(accepted, held.size(), failure);
    }
}
