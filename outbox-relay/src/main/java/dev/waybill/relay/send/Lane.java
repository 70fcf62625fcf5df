package dev.waybill.relay.send;

import dev.waybill.relay.OutboxRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of some sessions in order, with at most one batch in flight. Confined to the loop's thread. */
final class Lane {
    /** At this number of rows, reads exclude the lane until half of them are left. */
    static final int FULL = 400;

    private final Deque<OutboxRow> queue = new ArrayDeque<>();
    private @Nullable Batch inFlight;
    private boolean full;

    void add(OutboxRow row) {
        queue.addLast(row);
        full |= queue.size() >= FULL;
    }

    boolean isFull() {
        full &= queue.size() > FULL / 2;
        return full;
    }

    boolean isSending() {
        return inFlight != null;
    }

    boolean isWaiting() {
        return !queue.isEmpty();
    }

    boolean isReady() {
        return inFlight == null && !queue.isEmpty();
    }

    long first() {
        return queue.getFirst().seq();
    }

    /** Takes the next rows, at least one. */
    Batch begin(int number, int mostRows, long mostBytes) {
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

    /** Puts unaccepted rows back to the front. */
    void putBack(List<OutboxRow> rows) {
        for (int i = rows.size() - 1; i >= 0; i--) {
            queue.addFirst(rows.get(i));
        }
    }

    /** Removes the rows of a session, given by its key. */
    List<OutboxRow> remove(String session) {
        List<OutboxRow> removed =
                queue.stream().filter(row -> session.equals(row.sessionKey())).toList();
        queue.removeIf(row -> session.equals(row.sessionKey()));
        return removed;
    }

    List<OutboxRow> clear() {
        List<OutboxRow> removed = List.copyOf(queue);
        queue.clear();
        full = false;
        return removed;
    }
}
