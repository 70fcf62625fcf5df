package dev.waybill.relay.read;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The sequence value at which the reads of each destination begin: below it, all pending rows are in memory. Without floors, a
 * read beside an old transaction would scan all deleted rows that vacuum must keep. A cache: a floor of 0 is always right.
 *
 * <p>A <b>mark</b> (L, X) says that L was the sequence's last value before a transaction of the relay got the id X. A
 * transaction has its id before it allocates values, so the writers of all values up to L have ids below X. When no transaction
 * below X is running, no further row up to L can appear: the mark is <b>closed</b>.
 *
 * <p>A transaction that runs for more than a second is <b>slow</b> and does not keep marks open. Its values are above the L of
 * the newest mark with an X below its id. When it ends, all floors fall back to that L. The read that first shows its end is
 * repeated, because it may contain newer rows of a session without an older one below the floor.
 *
 * <p>Confined to the loop's thread.
 */
public final class Floors {
    private static final long SLOW_NANOS = Duration.ofSeconds(1).toNanos();

    private final LongSupplier nanoTime;
    private final Map<String, Long> floors = new HashMap<>();
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();
    private final Map<Long, Running> running = new HashMap<>();
    private String server = "";
    private long lastXmax;
    private long lastValue;

    public Floors(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Mark(long lastValue, long xid) {}

    /** @param above its values are above this one */
    private record Running(long since, long above) {}

    /** Where the next read of a destination begins. */
    public long of(String destination) {
        return floors.getOrDefault(destination, 0L);
    }

    /** Whether a new mark at this value would raise a floor. */
    public boolean needsMark(Iterable<String> destinations, long value) {
        if (!marks.isEmpty() && marks.getLast().lastValue() >= value) {
            return false;
        }
        for (String destination : destinations) {
            if (of(destination) < value) {
                return true;
            }
        }
        return false;
    }

    /** Adds a mark, from a read before the transaction {@code xid}, which has ended. */
    public void mark(long lastValue, long xid) {
        if (marks.isEmpty() || marks.getLast().lastValue() < lastValue) {
            marks.addLast(new Mark(lastValue, xid));
        }
    }

    /** A row has left memory and may still be in the table. */
    public void fallBelow(String destination, long seq) {
        floors.computeIfPresent(destination, (name, floor) -> Math.min(floor, seq - 1));
    }

    /** The next read of the destination begins at 0. */
    public void forget(String destination) {
        floors.remove(destination);
    }

    /** Returns whether the rows of a read may be used. */
    public Verdict accept(ReadHeader header) {
        boolean known = !server.isEmpty();
        if (!header.server().equals(server) || wentBack(header)) {
            reset(header.server());
        } else {
            known = false;
        }
        lastValue = header.lastValue();
        boolean use = follow(header.snapshot());
        return known ? Verdict.OTHER_SERVER : use ? Verdict.USE : Verdict.REPEAT;
    }

    public enum Verdict {
        /** Use the rows. */
        USE,
        /** A slow transaction has ended: drop the rows and read again from the lower floors. */
        REPEAT,
        /** Another server process runs the database: all memory is invalid. */
        OTHER_SERVER
    }

    // After a restore in place or a setval, values may repeat.
    private boolean wentBack(ReadHeader header) {
        return header.lastValue() < lastValue || header.snapshot().xmax() < lastXmax;
    }

    private void reset(String newServer) {
        server = newServer;
        floors.clear();
        marks.clear();
        running.clear();
        lastXmax = 0;
    }

    private boolean follow(Snapshot snapshot) {
        long now = nanoTime.getAsLong();
        boolean slowEnded = false;
        long lowest = Long.MAX_VALUE;
        for (var entry : running.entrySet()) {
            if (isSlow(entry.getValue(), now)) {
                slowEnded |= !snapshot.isRunning(entry.getKey());
                lowest = Math.min(lowest, entry.getValue().above());
            }
        }
        if (slowEnded) {
            long most = lowest;
            floors.replaceAll((destination, floor) -> Math.min(floor, most));
        }
        running.keySet().removeIf(id -> !snapshot.isRunning(id));
        snapshot.running().forEach(id -> running.computeIfAbsent(id, seen -> new Running(now, above(seen))));
        lastXmax = snapshot.xmax();
        return !slowEnded;
    }

    private boolean isSlow(Running transaction, long now) {
        return now - transaction.since() > SLOW_NANOS;
    }

    // From the newest mark whose transaction is older: this transaction's values are above it.
    private long above(long id) {
        var newestFirst = marks.descendingIterator();
        while (newestFirst.hasNext()) {
            Mark mark = newestFirst.next();
            if (mark.xid() < id) {
                return mark.lastValue();
            }
        }
        return 0;
    }

    /**
     * The highest value up to which, by this snapshot, no row can appear, except those of slow transactions. Call it once for
     * each read whose rows are used.
     */
    public long closedValue(Snapshot snapshot) {
        long now = nanoTime.getAsLong();
        long oldest = snapshot.xmax();
        for (long id : snapshot.running()) {
            Running transaction = running.get(id);
            if (id < oldest && (transaction == null || !isSlow(transaction, now))) {
                oldest = id;
            }
        }
        long closed = 0;
        for (Mark mark : marks) {
            // A mark at or above xmax may belong to a transaction that the snapshot does not list.
            if (mark.xid() < oldest) {
                closed = Math.max(closed, mark.lastValue());
            }
        }
        prune(oldest);
        return closed;
    }

    // Keeps the newest closed mark, all open marks, and the newest below xmax. New transactions have ids from the last
    // xmax on.
    private void prune(long oldest) {
        while (marks.size() > 1) {
            Mark first = marks.removeFirst();
            Mark second = marks.getFirst();
            if (second.xid() >= oldest || second.xid() >= lastXmax) {
                marks.addFirst(first);
                return;
            }
        }
    }

    /** Raises a floor after a read whose rows are in memory, at most to {@code lastRead} if the read was partial. */
    public void raise(String destination, long closedValue, long lastRead) {
        floors.merge(destination, Math.min(closedValue, lastRead), Math::max);
    }
}
