package dev.waybill.supervision;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Lines about failures that are told one by one: the root cause in the line, and the stack trace once for each cause that is the
 * program's own fault. A failure of the world outside needs none. All traces are told at DEBUG. Thread-safe.
 */
public final class Traces {
    private static final int MOST = 64;

    private final Set<String> told = new HashSet<>();

    /** None was told yet. */
    public Traces() {}

    /** Tells it at WARN: the line, a colon, and the reason. */
    public void warn(Logger log, String line, Throwable failure) {
        String why = RootCause.of(failure);
        if (isWorthIt(failure, why)) {
            log.warn("{}: {}", line, why, failure);
        } else {
            log.warn("{}: {}", line, why);
            log.debug("{}", line, failure);
        }
    }

    /** Whether the stack trace says something that has not been told. */
    boolean isWorthIt(Throwable failure, String why) {
        return !RootCause.isOutside(failure) && isFirst(failure.getClass().getName() + key(why));
    }

    private synchronized boolean isFirst(String cause) {
        return told.size() < MOST && told.add(cause);
    }

    /** The cause without the parts that differ from one time to the next: ports, times, ids. */
    static String key(String why) {
        return why.replaceAll("[0-9a-fA-F]{8}[-_0-9a-zA-Z]*|[0-9]+", "#");
    }
}
