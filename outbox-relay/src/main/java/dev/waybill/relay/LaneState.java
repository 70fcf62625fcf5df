package dev.waybill.relay;

import dev.waybill.relay.Cursor.LateRows;
import dev.waybill.relay.HeldSessions.SetAside;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state of a lane in the loop that owns it. Confined to the loop's thread. */
final class LaneState {
    /**
     * One with the broker, one that may follow at once, and one that is read while that goes on: with two, lanes wait for a read
     * wherever it shares its cores with what sends.
     */
    private static final int MOST_RUNS = 3;

    private final Lane lane;
    private final long epoch;
    private final HoldPolicy policy;
    private final LaneCaution caution;
    private final Deque<LanePage> runs = new ArrayDeque<>();
    private final List<SetAside> held = new ArrayList<>();
    private Cursor cursor;
    private Cursor readTo;
    private HeldSessions aside;
    private boolean more = true;
    private boolean tooLarge;
    private @Nullable Object cut;
    private boolean draining;
    private boolean missed;
    private @Nullable Long uncertainSince;
    private boolean unsettled;
    private int unsettledMessages;
    private boolean changed;
    private long recordedAtNanos;
    private long restUntilNanos;
    private int failures;

    LaneState(Lane lane, long epoch, boolean orphaned, Cursor cursor, HoldPolicy policy, long nowNanos) {
        this.lane = lane;
        this.epoch = epoch;
        this.caution = new LaneCaution(orphaned);
        this.policy = policy;
        this.cursor = cursor;
        this.readTo = cursor;
        this.aside = new HeldSessions(lane.destination(), policy);
        this.recordedAtNanos = nowNanos;
        this.restUntilNanos = nowNanos;
    }

    Lane lane() {
        return lane;
    }

    long epoch() {
        return epoch;
    }

    /** Everything up to here is published. */
    Cursor cursor() {
        return cursor;
    }

    /** Where the next read goes on. */
    Cursor readTo() {
        return readTo;
    }

    /** Whether nothing of the lane is on its way. */
    boolean isQuiet() {
        return runs.isEmpty();
    }

    /**
     * Whether another page may be read. Rows that were set aside must be recorded first, or the page would not know of
     * them.
     */
    boolean mayRead(long nowNanos) {
        return cut == null
                && !draining
                && !isAmongLate()
                && runs.size() < MOST_RUNS
                && restUntilNanos - nowNanos <= 0
                && (aside.isEmpty() || runs.isEmpty());
    }

    /** Whether the last read is known to have left rows behind. */
    boolean hasMore() {
        return more;
    }

    boolean isTooLarge() {
        return tooLarge;
    }

    /** Late rows of it wait behind a page that was cut, and are read with those of other lanes. */
    void cut(Object page) {
        cut = page;
    }

    boolean isCutBy(Object page) {
        return cut == page;
    }

    /** All late rows of it have been read, or the rest is read without the other lanes. */
    void leaveCut() {
        cut = null;
    }

    private boolean isAmongLate() {
        return cursor.late() != null || (!runs.isEmpty() && runs.getLast().isAmongLate());
    }

    /** The late rows of it that can be gone on with now; null if there are none. */
    @Nullable LateRows lateRest(long nowNanos) {
        return cut == null && runs.isEmpty() && !draining && restUntilNanos - nowNanos <= 0 ? cursor.late() : null;
    }

    /** Whether no more is read, because the lane is about to be given back. */
    void drain(boolean on) {
        draining = on;
        if (on) {
            cut = null;
        }
    }

    boolean isDraining() {
        return draining;
    }

    /** A read has left the lane out: what has committed since, the next one must look for. */
    void miss() {
        missed = true;
    }

    boolean isMissed() {
        return missed;
    }

    /** Whether something may still be under way of which nobody knows whether it arrives. */
    boolean isUncertain(Duration longestSend, long nowNanos) {
        return uncertainSince != null && nowNanos - uncertainSince < longestSend.toNanos();
    }

    /** The lane was forgotten while the fate of a send was unknown: it may still be under way. */
    void doubt(long nowNanos) {
        uncertainSince = nowNanos;
    }

    /** Takes the lane's share of a page and sends it. */
    void take(Page page, Consumer<LanePage> start) {
        take(page, 0, start);
    }

    /** Takes the lane's share of late rows behind this value and sends it. */
    void takeLate(Page page, long behind, Consumer<LanePage> start) {
        take(page, Math.max(behind, cursor.lateReached()), start);
    }

    private void take(Page page, long lateReached, Consumer<LanePage> start) {
        Cursor from = readTo;
        missed = false;
        @Nullable Cursor after = page.isLateCut()
                ? null
                : new Cursor(page.reach(lane, from.position()), page.snapshot(), Cursor.UNBOUNDED);
        more = page.isLateCut() || page.leavesBehind(lane, from.position());
        tooLarge = page.isTooLargeFor(lane);
        List<OutboxRow> rows =
                behind(lateReached, after == null ? page.late().getOrDefault(lane, List.of()) : page.rows(lane));
        if (after != null) {
            readTo = after;
        }
        if (rows.isEmpty()) {
            skipTo(after);
            return;
        }
        CompletableFuture<Boolean> before = runs.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : runs.getLast().end();
        var run =
                new LanePage(new PageOrigin(from.position(), page.snapshot(), lateReached), after, rows, aside, before);
        runs.add(run);
        start.accept(run);
    }

    // Read with those of lanes that had not come as far.
    private static List<OutboxRow> behind(long seq, List<OutboxRow> rows) {
        return rows.isEmpty() || rows.get(0).seq() > seq
                ? rows
                : rows.stream().filter(row -> row.seq() > seq).toList();
    }

    private void skipTo(@Nullable Cursor after) {
        if (after != null && runs.isEmpty()) {
            reached(after, false);
        } else if (after != null) {
            runs.getLast().extend(after);
        }
    }

    /** Takes what has come back, in order; stops at what is still on its way. */
    TurnOutcome land(long nowNanos) {
        TurnOutcome outcome = TurnOutcome.IDLE;
        while (!runs.isEmpty() && runs.getFirst().end().isDone()) {
            LanePage run = runs.removeFirst();
            outcome = outcome.plus(run.outcome());
            unsettledMessages += run.outcome().published();
            land(run);
            if (run.isUncertain()) {
                uncertainSince = nowNanos;
            }
            if (!run.isWhole()) {
                goBack(nowNanos);
                break;
            }
            failures = 0;
        }
        if (runs.isEmpty() && held.isEmpty() && !aside.isEmpty()) {
            aside = new HeldSessions(lane.destination(), policy);
        }
        return outcome;
    }

    private void land(LanePage run) {
        held.addAll(run.held());
        @Nullable Cursor reached = run.reached();
        if (reached != null) {
            reached(reached, run.outcome().moved());
        } else {
            reached(run.late(), run.outcome().moved());
        }
    }

    // Late rows that are sent count, too. A broker that is busy would else get the first of them again and again,
    // and never
    // the last.
    private void reached(@Nullable LateRows late, boolean moved) {
        if (late != null) {
            cursor = cursor.withLate(late);
            changed = true;
        }
        unsettled |= moved;
        if (runs.isEmpty()) {
            readTo = cursor;
        }
    }

    // Rows that were read ahead have not been sent, and are read again; late ones from where they were left.
    private void goBack(long nowNanos) {
        runs.clear();
        readTo = cursor;
        more = true;
        cut = null;
        restAfterFailure(nowNanos);
    }

    private void restAfterFailure(long nowNanos) {
        restUntilNanos = nowNanos + (100_000_000L << Math.min(failures, 5));
        failures++;
    }

    private void reached(Cursor newer, boolean moved) {
        boolean further = newer.position() > cursor.position();
        cursor = moved || further ? newer : new Cursor(newer.position(), newer.snapshot(), cursor.nextXid());
        unsettled |= moved;
        changed = true;
        if (runs.isEmpty()) {
            readTo = cursor;
        }
    }

    /** Sends a lane's rows outside its runs: the cursor has come so far. */
    void walked(LanePage walk, long nowNanos) {
        held.addAll(walk.held());
        @Nullable Cursor newer = walk.reached();
        if (newer != null) {
            reached(newer, walk.outcome().moved());
            readTo = cursor;
        } else {
            reached(walk.late(), walk.outcome().moved());
        }
        // Also where nothing was sent: the suspicion follows to where the lane stands, and the next owner reads only
        // what is recorded.
        unsettled = true;
        more = true;
        if (walk.isUncertain()) {
            uncertainSince = nowNanos;
            restAfterFailure(nowNanos);
        }
    }

    void recorded(Cursor newer, long nowNanos) {
        cursor = newer;
        if (runs.isEmpty()) {
            readTo = newer;
        }
        recordedAtNanos = nowNanos;
        unsettled = false;
        unsettledMessages = 0;
        changed = false;
        held.clear();
        if (runs.isEmpty() && !aside.isEmpty()) {
            aside = new HeldSessions(lane.destination(), policy);
        }
    }

    /** Lets nothing more be sent; completes when nothing is under way any more. */
    CompletableFuture<?> giveUp() {
        runs.forEach(LanePage::giveUp);
        return runs.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : runs.getLast().end().exceptionally(thrown -> false);
    }

    long bytesInHand() {
        if (runs.isEmpty()) {
            return 0;
        }
        long bytes = 0;
        for (LanePage run : runs) {
            bytes += run.bytes();
        }
        return bytes;
    }

    /** Completes when the next of what is on its way has met its fate. */
    CompletableFuture<?> nextEnd() {
        return runs.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : runs.getFirst().end();
    }

    /** Forgets a failure's rest. */
    void rested(long nowNanos) {
        restUntilNanos = nowNanos;
    }

    long restUntilNanos() {
        return restUntilNanos;
    }

    /** The rows that must be held together with the cursor's next record. */
    List<SetAside> held() {
        return held;
    }

    boolean isUnsettled() {
        return unsettled;
    }

    /** How many messages a crash would repeat. */
    int unsettledMessages() {
        return unsettledMessages;
    }

    /**
     * Whether a newer snapshot waits to be recorded. A lane that never had a row has nothing that it could tell,
     * and recording an old one again would only raise its bound.
     */
    boolean isStale(long nowNanos, long intervalNanos) {
        return changed && cursor.position() > 0 && nowNanos - recordedAtNanos > intervalNanos;
    }

    LaneCaution caution() {
        return caution;
    }
}
