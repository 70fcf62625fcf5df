package dev.waybill.relay.send;

import dev.waybill.hold.Cause;
import dev.waybill.relay.OutboxRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that the broker has refused alone and without a known reason, and the later rows of its session. It is set aside and retried
 * with a growing back-off while other rows go on. If it fails five times, and the destination accepts others after each failure, the
 * row is at fault. While many rows are suspects, the destination is. Confined to the loop's thread.
 */
final class Suspect {
    private static final int ENOUGH = 5;

    /** Other rows that must be accepted for each other suspect. */
    private static final int ACCEPTED_EACH = 10;

    private static final long FIRST_REST = Duration.ofSeconds(1).toNanos();
    private static final int MOST_DOUBLINGS = 5;

    private final Deque<OutboxRow> rows;
    private final long acceptedAtFirst;
    private int failures;
    private int strikes = 1;
    private long acceptedAtLast;
    private long dueAt;

    /** @param accepted how many rows the destination has accepted so far */
    Suspect(List<OutboxRow> rows, long accepted, long now) {
        this.rows = new ArrayDeque<>(rows);
        acceptedAtFirst = accepted;
        acceptedAtLast = accepted;
        rest(now);
    }

    private void rest(long now) {
        dueAt = now + (FIRST_REST << Math.min(failures, MOST_DOUBLINGS));
        failures++;
    }

    /** The row failed again; only a destination that works meanwhile puts the blame on the row. */
    void strike(long accepted, long now) {
        if (accepted > acceptedAtLast) {
            strikes++;
            acceptedAtLast = accepted;
        }
        rest(now);
    }

    boolean isAtFault(long accepted, int suspects) {
        return strikes >= ENOUGH && accepted - acceptedAtFirst >= (long) ACCEPTED_EACH * (suspects - 1);
    }

    Cause cause(@Nullable Throwable failure, long accepted) {
        Cause cause = SendFailure.causeOf(failure);
        return new Cause(
                cause.reason(),
                "The broker refused it alone " + failures + " times without a known reason, while it accepted "
                        + (accepted - acceptedAtFirst) + " others: " + cause.description());
    }

    boolean isDue(long now) {
        return now - dueAt >= 0;
    }

    OutboxRow row() {
        return rows.getFirst();
    }

    /** Adds a later row of the session; false for rows of others. */
    boolean joins(OutboxRow row) {
        @Nullable String session = rows.getFirst().sessionKey();
        return session != null && session.equals(row.sessionKey()) && rows.add(row);
    }

    int size() {
        return rows.size();
    }

    /** The row and those behind it, in order. */
    List<OutboxRow> rows() {
        return List.copyOf(rows);
    }
}
