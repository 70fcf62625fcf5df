package dev.waybill.relay;

import dev.waybill.hold.Cause;
import dev.waybill.relay.Cursor.LateRows;
import dev.waybill.relay.HeldSessions.SetAside;
import dev.waybill.supervision.ErrorDetails;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One lane's share of one page: what is sent of it, and how far that came. A refused row, and what must not
 * overtake it, is set aside and the rest goes on. Runs of a lane follow each other; where one fails, those behind
 * it send nothing, so that nothing overtakes what failed. Written by the publisher's threads one after the other,
 * read when it has ended.
 */
final class LanePage {
    /** The word of a hold whose message was refused without one. */
    static final String NO_REASON = "Refused";

    private final PageOrigin origin;
    private final HeldSessions aside;
    private final List<OutboxRow> rows;
    private final CompletableFuture<Boolean> before;
    private final List<SetAside> held = new ArrayList<>();
    private final long bytes;
    private CompletableFuture<Boolean> end;
    private @Nullable Cursor after;
    private long position;
    private long lateReached;
    private int accepted;
    private boolean brokeInLate;
    private volatile boolean givenUp;
    private @Nullable Throwable failure;

    /**
     * A run that has not begun.
     *
     * @param origin where the page was read from: rows up to its position are late
     * @param after where the lane stands when all of it is sent; null if the page was cut before the end of what
     *     is late
     * @param before whether everything that was sent ahead of it has met its fate
     */
    LanePage(
            PageOrigin origin,
            @Nullable Cursor after,
            List<OutboxRow> rows,
            HeldSessions aside,
            CompletableFuture<Boolean> before) {
        this.origin = origin;
        this.after = after;
        this.rows = rows;
        this.aside = aside;
        this.before = before;
        this.end = before;
        this.position = origin.position();
        this.lateReached = origin.lateReached();
        this.bytes = weight(rows);
    }

    // Without streams, as all that is done for each page: few rows come at a time, and a stream costs more than
    // they do.
    private static long weight(List<OutboxRow> rows) {
        long weight = 0;
        for (OutboxRow row : rows) {
            weight += row.weight();
        }
        return weight;
    }

    /** Sends the rows once everything before has met its fate, and not at all if it has not. */
    CompletableFuture<Boolean> send(Function<List<OutboxRow>, CompletableFuture<PublishResult>> ship) {
        end = before.thenCompose(whole -> whole ? deliver(rows, ship) : CompletableFuture.completedFuture(false));
        return end;
    }

    /** Sends some of the rows alone; the caller waits for each. */
    boolean sendNow(List<OutboxRow> some, Function<List<OutboxRow>, CompletableFuture<PublishResult>> ship) {
        end = end.thenCompose(whole -> whole ? deliver(some, ship) : CompletableFuture.completedFuture(false));
        return end.join();
    }

    // No call within another for each refusal that comes at once: a large page would need more stack than there is.
    private CompletableFuture<Boolean> deliver(
            List<OutboxRow> some, Function<List<OutboxRow>, CompletableFuture<PublishResult>> ship) {
        @Nullable List<OutboxRow> left = some;
        while (left != null && !left.isEmpty()) {
            List<OutboxRow> given = left;
            List<OutboxRow> free = free(given);
            if (free.isEmpty()) {
                pass(given, free);
                break;
            }
            CompletableFuture<PublishResult> answer = ship.apply(free);
            if (!answer.isDone()) {
                return answer.thenCompose(result -> goOn(answered(given, free, result), ship));
            }
            left = answered(given, free, answer.join());
        }
        return CompletableFuture.completedFuture(left != null);
    }

    private CompletableFuture<Boolean> goOn(
            @Nullable List<OutboxRow> left, Function<List<OutboxRow>, CompletableFuture<PublishResult>> ship) {
        return left == null ? CompletableFuture.completedFuture(false) : deliver(left, ship);
    }

    // The rows that are left to be sent; null if none may be sent any more.
    private @Nullable List<OutboxRow> answered(List<OutboxRow> some, List<OutboxRow> free, PublishResult result) {
        accepted += result.accepted();
        if (result.accepted() == free.size()) {
            pass(some, free);
            return List.of();
        }
        OutboxRow stopped = free.get(result.accepted());
        int passed = some.indexOf(stopped);
        pass(some.subList(0, passed), free.subList(0, result.accepted()));
        if (result.outcome() != Outcome.MESSAGE_REFUSED) {
            failure = result.failure();
            brokeInLate = isLate(stopped);
            stopBefore(stopped);
            return null;
        }
        refuse(stopped, result.failure());
        return some.subList(passed + 1, some.size());
    }

    private List<OutboxRow> free(List<OutboxRow> some) {
        var free = new ArrayList<OutboxRow>(some.size());
        for (OutboxRow row : some) {
            if (!aside.takes(row)) {
                free.add(row);
            }
        }
        return Collections.unmodifiableList(free);
    }

    // The fate of these rows is known: some are accepted, and what was not sent is to be held.
    private void pass(List<OutboxRow> some, List<OutboxRow> sent) {
        int next = 0;
        for (OutboxRow row : some) {
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

    // Its value may have been drawn twice, for a row that was accepted.
    private void stopBefore(OutboxRow row) {
        if (isLate(row)) {
            lateReached = Math.min(lateReached, row.seq() - 1);
        } else {
            position = Math.min(position, row.seq() - 1);
        }
    }

    private void reach(OutboxRow row) {
        if (isLate(row)) {
            lateReached = row.seq();
        } else {
            position = row.seq();
        }
    }

    /** Why something was not accepted, in texts that a database stores and that show no row of one. */
    static Cause causeOf(@Nullable Throwable why) {
        if (why == null) {
            return new Cause(NO_REASON, "The publisher gave no reason");
        }
        String reason = why instanceof PublishException named
                ? named.reason()
                : why.getClass().getSimpleName();
        return new Cause(reason, String.valueOf(ErrorDetails.messageOf(why)));
    }

    private boolean isLate(OutboxRow row) {
        return row.seq() <= origin.position();
    }

    /** A later read has found nothing behind this page, and seen more. */
    void extend(Cursor further) {
        if (after != null) {
            after = further;
        }
    }

    /** Lets nothing more be sent. */
    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** Completes with whether every row has met its fate; with an exception if the publisher has thrown one. */
    CompletableFuture<Boolean> end() {
        return end;
    }

    /** Whether every row of it has met its fate. Only once it has ended. */
    boolean isWhole() {
        try {
            return end.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /**
     * Where the lane stands now; null if nothing can be said: not while rows of an earlier page are unsent, and a
     * late row that was not accepted would be lost with the old snapshot.
     */
    @Nullable Cursor reached() {
        if (after == null || !before.join() || brokeInLate) {
            return null;
        }
        return isWhole() ? after : new Cursor(position, after.snapshot(), Cursor.UNBOUNDED);
    }

    /** Whether it has late rows alone, and more of them are to follow. */
    boolean isAmongLate() {
        return after == null;
    }

    /** Where it ended among late rows; null if it did not, or no late row has met its fate. */
    @Nullable LateRows late() {
        boolean among = (after == null || brokeInLate) && before.join();
        return among && lateReached > 0 ? new LateRows(origin.snapshot(), lateReached) : null;
    }

    /** Whether rows were given to the publisher whose fate nobody knows. */
    boolean isUncertain() {
        return failure != null;
    }

    /** The rows that are to be held, in order. */
    List<SetAside> held() {
        return held;
    }

    /** The bytes of the rows: bodies and headers. */
    long bytes() {
        return bytes;
    }

    TurnOutcome outcome() {
        return new TurnOutcome(accepted, held.size(), failure);
    }
}
