package dev.waybill.relay.read;

import java.util.HashSet;
import java.util.Set;

/**
 * A {@code pg_current_snapshot()}: transactions below {@code xmax} that are not in {@code running} have ended. Those from
 * {@code xmax} on may be running, and are not listed.
 */
public record Snapshot(long xmax, Set<Long> running) {
    /** Parses {@code xmin:xmax:id,id}. */
    static Snapshot parse(String text) {
        int first = text.indexOf(':');
        int second = text.indexOf(':', first + 1);
        long xmax = Long.parseUnsignedLong(text, first + 1, second, 10);
        var running = new HashSet<Long>();
        int from = second + 1;
        while (from < text.length()) {
            int comma = text.indexOf(',', from);
            int end = comma < 0 ? text.length() : comma;
            running.add(Long.parseUnsignedLong(text, from, end, 10));
            from = end + 1;
        }
        return new Snapshot(xmax, running);
    }

    boolean isRunning(long id) {
        return running.contains(id);
    }
}
