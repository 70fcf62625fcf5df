package dev.waybill.relay.send;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of some sessions in order, with at most one batch in flight, and suspects. Confined to the loop's thread. */
final class Lane {
    /** At this number of rows, reads exclude the lane until half of them are left. */
    static final int FULL = 400;

    /** Failures in a row after which one row of a batch may be at fault. */
    private static final int ENOUGH = 3;

    private final Deque<OutboxRow> queue = new ArrayDeque<>();
    private final List<Suspect> suspects = new ArrayList<>();
    private @Nullable Batch inFlight;

    /** The suspect in flight. */
    private @Nullable Suspect retried;

    /** Rows that are sent one by one, because one of them may be at fault. */
    private int alone;

    private int failures;
    private long acceptedAtFailure;

    private boolean full;

    void add(OutboxRow row) {
        if (suspects.stream().noneMatch(suspect -> suspect.joins(row))) {
            queue.addLast(row);
        }
        full |= size() >= FULL;
    }

    // Rows of suspects count, so that a session of many rows does not fill the memory.
    private int size() {
        int size = queue.size();
        for (Suspect suspect : suspects) {
            size += suspect.size();
        }
        return size;
    }

    boolean isFull() {
        full &= size() > FULL / 2;
        return full;
    }

    boolean isSending() {
        return inFlight != null;
    }

    boolean isWaiting(long now) {
        return !queue.isEmpty() || isSuspectDue(now);
    }

    boolean isReady(long now) {
        return inFlight == null && isWaiting(now);
    }

    private boolean isSuspectDue(long now) {
        return suspects.stream().anyMatch(suspect -> suspect.isDue(now));
    }

    /** The value of the next row that is no suspect; suspects come last. */
    long first() {
        return queue.isEmpty() ? Long.MAX_VALUE : queue.getFirst().seq();
    }

    /** Takes a due suspect, or the next rows, at least one. */
    Batch begin(int number, int mostRows, long mostBytes, long now) {
        for (Suspect suspect : suspects) {
            if (suspect.isDue(now)) {
                return beginSuspect(number, suspect);
            }
        }
        return begin(number, alone > 0 ? 1 : mostRows, mostBytes);
    }

    /** Takes the next row, alone; a due suspect if there is no other. */
    Batch beginOne(int number, long now) {
        return queue.isEmpty() ? begin(number, 1, 0, now) : begin(number, 1, 0);
    }

    private Batch beginSuspect(int number, Suspect suspect) {
        var batch = new Batch(number, List.of(suspect.row()));
        inFlight = batch;
        retried = suspect;
        return batch;
    }

    private Batch begin(int number, int mostRows, long mostBytes) {
        var rows = new ArrayList<OutboxRow>();
        long bytes = 0;
        while (rows.size() < mostRows && !queue.isEmpty()) {
            bytes += queue.getFirst().weight();
            if (bytes > mostBytes && !rows.isEmpty()) {
                break;
            }
            rows.add(queue.removeFirst());
        }
        var batch = new Batch(number, rows);
        inFlight = batch;
        return batch;
    }

    /** Ends the batch if it is in flight. */
    @SuppressWarnings("ReferenceEquality") // Equal rows may have been sent before, by a batch that comes back late.
    boolean end(Batch batch) {
        boolean own = inFlight == batch;
        if (own) {
            inFlight = null;
        }
        return own;
    }

    /** The suspect that was in flight alone, once; null after other batches. */
    @Nullable Suspect takeRetried() {
        @Nullable Suspect suspect = retried;
        retried = null;
        return suspect;
    }

    /**
     * Whether one of the rows may be at fault: the broker has refused it without a known reason, or nothing of this lane has
     * passed three times although others were accepted meanwhile, as if a row broke its connection.
     */
    boolean isSuspicious(PublishResult result, long acceptances) {
        boolean unavailable = result.outcome() == Outcome.UNAVAILABLE;
        if (result.accepted() > 0 || !unavailable) {
            failures = 0;
        } else if (acceptances > acceptedAtFailure) {
            failures++;
        }
        acceptedAtFailure = acceptances;
        return result.outcome() == Outcome.UNEXPLAINED || failures >= ENOUGH;
    }

    /** One of these rows may be at fault. */
    void sendAlone(int rows) {
        alone = Math.max(alone, rows);
    }

    /** These rows have returned. */
    void returned(int rows) {
        alone = Math.max(0, alone - rows);
    }

    /** Sets a row aside, with those of its session. */
    void setAside(Suspect suspect) {
        suspects.add(suspect);
    }

    /** Puts the rows of a suspect back to the front. */
    void restore(Suspect suspect) {
        suspects.remove(suspect);
        putBack(suspect.rows());
    }

    int suspects() {
        return suspects.size();
    }

    /** Puts unaccepted rows back to the front. */
    void putBack(List<OutboxRow> rows) {
        for (int i = rows.size() - 1; i >= 0; i--) {
            queue.addFirst(rows.get(i));
        }
    }

    OutboxRow take() {
        return queue.removeFirst();
    }

    /** Removes the rows of a session, given by its key. */
    List<OutboxRow> remove(String session) {
        List<OutboxRow> removed =
                queue.stream().filter(row -> session.equals(row.sessionKey())).toList();
        queue.removeIf(row -> session.equals(row.sessionKey()));
        return removed;
    }

    List<OutboxRow> clear() {
        var removed = new ArrayList<OutboxRow>(queue);
        suspects.forEach(suspect -> removed.addAll(suspect.rows()));
        @Nullable Suspect inFlightNow = retried;
        if (inFlightNow != null) {
            removed.remove(inFlightNow.row());
        }
        suspects.clear();
        retried = null;
        queue.clear();
        alone = 0;
        full = false;
        return removed;
    }
}
