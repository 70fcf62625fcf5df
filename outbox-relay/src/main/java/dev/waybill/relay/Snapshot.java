package dev.waybill.relay;

import java.util.Arrays;
import java.util.List;

/**
 * The snapshot of a transaction, in the parts that decide where to look for rows that it does not see.
 *
 * @param xmin every transaction below has ended
 * @param xmax no transaction from here on had ended
 * @param running those in between that had not
 */
record Snapshot(long xmin, long xmax, List<String> running) {
    /** Reads PostgreSQL's text form, {@code xmin:xmax:id,id,…}. */
    static Snapshot parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + text + "' is no snapshot");
        }
        List<String> running = parts[2].isEmpty() ? List.of() : Arrays.asList(parts[2].split(","));
        return new Snapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
    }

    /** The end of the snapshot alone. */
    static long xmax(String text) {
        int start = text.indexOf(':') + 1;
        return Long.parseLong(text.substring(start, text.indexOf(':', start)));
    }
}
