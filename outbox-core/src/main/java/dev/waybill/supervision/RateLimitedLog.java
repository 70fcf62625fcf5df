package dev.waybill.supervision;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Logs a frequent event: at once when it first happens, then its count once per interval. Thread-safe. */
public final class RateLimitedLog {
    private final Logger log;
    private final boolean warns;
    private final Duration interval;
    private final LongSupplier nanos;
    private long count;
    private long loggedAt;
    private volatile boolean quiet = true;

    /** @param warns whether to log at WARN instead of INFO */
    public RateLimitedLog(Logger log, boolean warns, Duration interval, LongSupplier nanos) {
        this.log = log;
        this.warns = warns;
        this.interval = interval;
        this.nanos = nanos;
    }

    /** Adds to the count. Call it regularly, also with 0: a later call logs the remaining count. */
    public void log(long times, String line, String detail) {
        if (times > 0 || !quiet) {
            count(times, line, detail);
        }
    }

    private synchronized void count(long times, String line, String detail) {
        count += times;
        long now = nanos.getAsLong();
        if (!quiet && now - loggedAt < interval.toNanos()) {
            return;
        }
        quiet = count == 0;
        if (!quiet) {
            write(line, detail);
            loggedAt = now;
            count = 0;
        }
    }

    private void write(String line, String detail) {
        if (warns) {
            log.warn(line + "{}", count, detail);
        } else {
            log.info(line + "{}", count, detail);
        }
    }
}
