package dev.waybill.relay;

import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The destinations whose due messages could not be moved, while those of others could. Each is told once, and rests before it
 * is tried again: a batch that fails costs as much as one that moves. A destination in whose turn the database stopped to
 * answer is left out of the next step, because its batch may be why. Not thread-safe.
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
    private final Set<String> suspects = new HashSet<>();

    DueFailures(Duration rest, LongSupplier nanos) {
        this.rest = rest;
        this.nanos = nanos;
    }

    /**
     * Whether a failure is one of the whole database, which the next destination would meet too. Of a connection that was
     * lost only the database can tell, when it is asked on another one.
     */
    static boolean isOfAll(RuntimeException failure) {
        if (!(failure instanceof DataAccessException e)) {
            return false;
        }
        return e.sqlState().equals(DISK_FULL)
                || e.sqlState().startsWith(SYSTEM)
                || e.getCause(SQLTransientConnectionException.class) != null
                || (RootCause.isOutage(e) && !RootCause.isConnection(e));
    }

    /** Whether the destination has failed a moment ago, or the database has not answered in its turn. */
    boolean rests(String destination) {
        @Nullable Failure failure = failing.get(destination);
        return suspects.contains(destination) || (failure != null && nanos.getAsLong() - failure.at() < rest.toNanos());
    }

    /** The database may have stopped to answer in the turn of this destination. */
    void suspect(String destination) {
        suspects.add(destination);
    }

    boolean hasSuspects() {
        return !suspects.isEmpty();
    }

    /** A step without these destinations has ended well. */
    void endSuspicions() {
        suspects.clear();
    }

    /** The failure is the destination's own. */
    void met(String destination, RuntimeException cause) {
        suspects.remove(destination);
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
        suspects.clear();
        failing.replaceAll((destination, failure) -> new Failure(failure.cause(), failure.at() - rest.toNanos()));
    }

    private Fault fault(String destination) {
        return faults.computeIfAbsent(destination, any -> new Fault(LOG, nanos));
    }

    private record Failure(RuntimeException cause, long at) {}
}
