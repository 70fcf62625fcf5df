package dev.waybill.relay.read;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Where reads begin: above a value below which no row waits and none can come any more, except those in memory. Without it,
 * a read beside an old transaction walks over all deleted rows that vacuum must keep. A cache: a floor of 0 is always right.
 *
 * <p>A <b>mark</b> (L, X) says: L was the sequence's last value, and after that a transaction of the relay got the id X. A row's
 * transaction has its id before it allocates a value, so whoever allocated a value up to L has an id below X. Once no
 * transaction below X is running, no row up to L can come any more: the mark is <b>closed</b>.
 *
 * <p>A transaction that runs for longer than a second is <b>slow</b>: it does not keep marks open. Its values are above the L of
 * the newest mark whose X is below its id, and when it ends, all floors fall back to there. The read that shows the end is not
 * used: it may hold a newer row of a session of which the slow transaction has brought an older one below the floor.
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

    /** All floors are 0. */
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

    /** Whether a mark at this value would raise some floor, and is not there yet. */
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

    /**
     * A transaction of the relay that has ended.
     *
     * @param lastValue as a read returned it before the transaction began
     * @param xid the id of the transaction
     */
    public void mark(long lastValue, long xid) {
        if (marks.isEmpty() || marks.getLast().lastValue() < lastValue) {
            marks.addLast(new Mark(lastValue, xid));
        }
    }

    /** A row of the destination has left memory and may still be in the table: it must be read again. */
    public void fallBelow(String destination, long seq) {
        floors.computeIfPresent(destination, (name, floor) -> Math.min(floor, seq - 1));
    }

    /** Forgets a destination: its next read begins at 0. */
    public void forget(String destination) {
        floors.remove(destination);
    }

    /**
     * A read has come back.
     *
     * @return whether its rows may be used; if not, it is to be repeated at once
     */
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

    /** What to do with the rows of a read. */
    public enum Verdict {
        /** They are taken. */
        USE,
        /** A slow transaction has ended: they are dropped, and read again from the lower floors. */
        REPEAT,
        /** The database is served by another server process: nothing that was remembered of the old one holds. */
        OTHER_SERVER
    }

    // After a restore in place, or a setval: values may be allocated twice.
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

    // Of the newest mark whose own transaction came before: what it allocates is above that mark's value.
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
     * The highest value below which, by this snapshot, no row can come any more but those of slow transactions. Call it once for
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
            // A mark at or above xmax may be of a transaction that the snapshot does not list.
            if (mark.xid() < oldest) {
                closed = Math.max(closed, mark.lastValue());
            }
        }
        prune(oldest);
        return closed;
    }

    // Kept: the newest closed mark, all that are open, and the newest below xmax. A transaction that is seen for the
    // first time has an id from the last xmax on.
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

    /**
     * Raises the floor of a destination whose rows of the read are in memory.
     *
     * @param closedValue by the read's own snapshot
     * @param lastRead the value of its last row if the read was cut there; else {@link Long#MAX_VALUE}
     */
    public void raise(String destination, long closedValue, long lastRead) {
        floors.merge(destination, Math.min(closedValue, lastRead), Math::max);
    }
}
