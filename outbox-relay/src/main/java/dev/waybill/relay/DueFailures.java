package dev.waybill.relay;

import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The destinations whose due messages could not be moved, while those of others could. Each is told once, and rests before it
 * is tried again: a batch that fails costs as much as one that moves. Not thread-safe.
 */
final class DueFailures {
    private static final Logger LOG = LoggerFactory.getLogger(DueFailures.class);
    private static final String DISK_FULL = "53100";

    /** "System error": the server cannot read or write its files. */
    private static final String SYSTEM = "58";

    private final Duration rest;
    private final LongSupplier nanos;
    private final Map<String, Fault> faults = new HashMap<>();
    private final Map<String, Failure> failing = new LinkedHashMap<>();

    DueFailures(Duration rest, LongSupplier nanos) {
        this.rest = rest;
        this.nanos = nanos;
    }

    /** Whether a failure is one of the whole database, which the next destination would meet too. */
    static boolean isOfAll(RuntimeException failure) {
        String state = failure instanceof DataAccessException e ? e.sqlState() : "";
        return RootCause.isOutage(failure) || state.equals(DISK_FULL) || state.startsWith(SYSTEM);
    }

    /** Whether the destination has failed a moment ago. */
    boolean rests(String destination) {
        @Nullable Failure failure = failing.get(destination);
        return failure != null && nanos.getAsLong() - failure.at() < rest.toNanos();
    }

    void met(String destination, RuntimeException cause) {
        failing.put(destination, new Failure(cause, nanos.getAsLong()));
        String consequence = "Messages to '%s' that are due could not be moved into the outbox, and it is tried again";
        fault(destination).met(consequence.formatted(destination), cause);
    }

    void over(String destination) {
        if (failing.remove(destination) != null) {
            fault(destination).over("Messages to '" + destination + "' that are due are moved into the outbox again");
        }
    }

    /** Why the first of those that fail does; null if none does. */
    @Nullable RuntimeException first() {
        return failing.values().stream().map(Failure::cause).findFirst().orElse(null);
    }

    /** Lets all be tried again at once. */
    void endRests() {
        failing.replaceAll((destination, failure) -> new Failure(failure.cause(), failure.at() - rest.toNanos()));
    }

    private Fault fault(String destination) {
        return faults.computeIfAbsent(destination, any -> new Fault(LOG, nanos));
    }

    private record Failure(RuntimeException cause, long at) {}
}
