package dev.waybill.supervision;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;

/** Logs failures with their root cause, and the stack trace of a defect once for each cause. Thread-safe. */
public final class Traces {
    private static final int MOST = 64;

    private final Set<String> logged = new HashSet<>();

    public Traces() {}

    /** Logs at WARN: the line, a colon, and the root cause. */
    public void warn(Logger log, String line, Throwable failure) {
        String why = RootCause.of(failure);
        if (needsTrace(failure, why)) {
            log.warn("{}: {}", line, why, failure);
        } else {
            log.warn("{}: {}", line, why);
            log.debug("{}", line, failure);
        }
    }

    boolean needsTrace(Throwable failure, String why) {
        return !RootCause.isOutside(failure) && isFirst(failure.getClass().getName() + key(why));
    }

    private synchronized boolean isFirst(String cause) {
        return logged.size() < MOST && logged.add(cause);
    }

    /** The cause without the parts that vary: ports, times, ids. */
    static String key(String why) {
        return why.replaceAll("[0-9a-fA-F]{8}[-_0-9a-zA-Z]*|[0-9]+", "#");
    }
}
