package dev.waybill.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves messages into the outbox when their time has come. Any number of relays may do so side by side. Not thread-safe: one
 * thread calls {@link #step()}.
 */
final class Scheduling {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduling.class);

    /** How late a message may be that is scheduled while the relay rests; also what an idle relay costs: a query a second. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /** For rows that are due and that somebody holds on to. */
    private static final Duration REST_WHILE_LOCKED = Duration.ofMillis(250);

    /** How long one session that is always being appended to is waited for, with all others waiting too. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    /** Of one destination, before the others have their turn. */
    private static final int MOST_BATCHES = 20;

    private final ScheduledTable table;
    private final List<String> destinations;
    private final Runnable moved;
    private final RandomGenerator random;

    /** @param moved told after messages have come into the outbox */
    Scheduling(ScheduledTable table, List<String> destinations, Runnable moved, RandomGenerator random) {
        this.table = table;
        this.destinations = destinations;
        this.moved = moved;
        this.random = random;
    }

    /** Moves what is due and says how long to rest; a failure is told and waited out, never thrown. */
    Duration step() {
        try {
            Map<String, Duration> waits = table.waits(destinations);
            int count = 0;
            for (String destination : destinations) {
                if (isDue(waits.get(destination))) {
                    count += moveDue(destination);
                }
            }
            if (count > 0) {
                moved.run();
                return Duration.ZERO;
            }
            return rest(waits);
        } catch (RuntimeException e) {
            LOG.warn("Messages that are due could not be moved into the outbox; tried again in {}", LONGEST_REST, e);
            return LONGEST_REST;
        }
    }

    private int moveDue(String destination) {
        var left = new HashSet<String>();
        int count = 0;
        for (int batches = 0; batches < MOST_BATCHES; batches++) {
            ScheduledTable.Batch batch = table.move(destination, left);
            left.addAll(batch.left());
            count += batch.moved();
            if (!batch.full()) {
                break;
            }
        }
        return count + moveOneOf(destination, left);
    }

    // A session that is appended to all the time is never free at a glance. One at a time, and by chance, so that none
    // of
    // them keeps the others from their turn.
    private int moveOneOf(String destination, Set<String> sessions) {
        if (sessions.isEmpty()) {
            return 0;
        }
        var candidates = new ArrayList<>(sessions);
        return table.moveOf(destination, candidates.get(random.nextInt(candidates.size())), PATIENCE);
    }

    private static Duration rest(Map<String, Duration> waits) {
        Duration rest = LONGEST_REST;
        for (Duration wait : waits.values()) {
            Duration next = isDue(wait) ? REST_WHILE_LOCKED : wait;
            rest = next.compareTo(rest) < 0 ? next : rest;
        }
        return rest;
    }

    private static boolean isDue(@Nullable Duration wait) {
        return wait != null && wait.compareTo(Duration.ZERO) <= 0;
    }
}
