package dev.waybill.relay.schedule;

import dev.waybill.relay.schedule.Page.Due;
import dev.waybill.relay.schedule.Page.Excluded;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves due scheduled messages to the outbox. Not thread-safe. */
public final class Mover {
    private static final Logger LOG = LoggerFactory.getLogger(Mover.class);

    /** The longest delay of a message that is scheduled during a pause; also the query interval of an idle relay. */
    public static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /** While due rows are locked. */
    static final Duration REST_WHILE_LOCKED = Duration.ofMillis(250);

    /** Before a row that failed is moved again. */
    private static final Duration REST_OF_FAILED = Duration.ofMinutes(1);

    /** Pages of a destination in a step, so that others get their turn. */
    private static final int MOST_PAGES = 10;

    private final ScheduledRows rows;
    private final RandomGenerator random;
    private final LongSupplier nanoTime;
    private final Fault fault;
    private final Map<Due, Long> failed = new HashMap<>();
    private @Nullable DataAccessException refusal;

    /** @param random chooses the session to wait for, for fairness */
    public Mover(ScheduledRows rows, RandomGenerator random, LongSupplier nanoTime) {
        this.rows = rows;
        this.random = random;
        this.nanoTime = nanoTime;
        fault = new Fault(LOG, nanoTime);
    }

    /** Moves due messages, except where rows or sessions are locked. Throws if the database fails. */
    public Step step(Collection<String> destinations) {
        failed.values().removeIf(at -> nanoTime.getAsLong() - at >= REST_OF_FAILED.toNanos());
        Map<String, Duration> waits = rows.waits(destinations);
        var turn = new Turn();
        waits.forEach((destination, wait) -> {
            if (wait.isZero()) {
                turn.moveAll(destination);
            }
        });
        turn.waitForOne();
        if (failed.isEmpty()) {
            refusal = null;
            fault.recovered("All due scheduled messages are moved to the outbox again");
        }
        return new Step(turn.moved, turn.rest(waits));
    }

    /** The failure of the last row that could not be moved; null if none waits for a retry. */
    public @Nullable DataAccessException refusal() {
        return refusal;
    }

    private void failed(Due row, UnmovableException cause) {
        failed.put(row, nanoTime.getAsLong());
        refusal = cause.refusal();
        fault.failed(
                "Scheduled message '%s' to '%s' cannot be moved to the outbox; later ones of its session wait"
                        .formatted(row.messageId(), row.destination()),
                cause);
    }

    /** Number of moved messages by destination, and the pause until the next step. */
    public record Step(Map<String, Integer> moved, Duration rest) {
        public Step {
            moved = Map.copyOf(moved);
        }

        public int count() {
            return moved.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    private final class Turn {
        private final Map<String, Integer> moved = new HashMap<>();
        private final List<Due> busy = new ArrayList<>();
        private boolean locked;
        private boolean more;

        void moveAll(String destination) {
            var excluded = new Excluded(new HashSet<>(), new HashSet<>());
            failed.keySet().stream()
                    .filter(row -> row.destination().equals(destination))
                    .forEach(excluded::add);
            boolean full = true;
            for (int page = 0; full && page < MOST_PAGES; page++) {
                full = movePage(destination, excluded, ScheduledRows.PAGE);
            }
            more |= full;
        }

        private boolean movePage(String destination, Excluded excluded, int limit) {
            try {
                return note(destination, rows.move(destination, excluded, limit), excluded);
            } catch (UnmovableException e) {
                return isAlone(e, excluded)
                        || movePage(destination, excluded, e.rows().size() / 2);
            }
        }

        // Halves the page until the failing row is alone.
        private boolean isAlone(UnmovableException refused, Excluded excluded) {
            if (refused.rows().size() > 1) {
                return false;
            }
            failed(refused.rows().get(0), refused);
            excluded.add(refused.rows().get(0));
            return true;
        }

        private boolean note(String destination, Page page, Excluded excluded) {
            count(destination, page.moved());
            page.locked().forEach(excluded::add);
            page.busy().forEach(excluded::add);
            busy.addAll(page.busy());
            locked |= page.excluded() || !page.locked().isEmpty();
            return page.full();
        }

        private void count(String destination, int count) {
            if (count > 0) {
                moved.merge(destination, count, Integer::sum);
            }
        }

        void waitForOne() {
            if (busy.isEmpty()) {
                return;
            }
            waitFor(busy.get(random.nextInt(busy.size())), ScheduledRows.PAGE);
        }

        private void waitFor(Due one, int limit) {
            try {
                count(one.destination(), rows.moveOnceFree(one, limit).moved());
            } catch (UnmovableException e) {
                if (!isAlone(e, new Excluded(new HashSet<>(), new HashSet<>()))) {
                    waitFor(one, e.rows().size() / 2);
                }
            }
        }

        Duration rest(Map<String, Duration> waits) {
            if (more || !moved.isEmpty()) {
                return Duration.ZERO;
            }
            if (locked || !busy.isEmpty()) {
                return REST_WHILE_LOCKED;
            }
            return waits.values().stream()
                    .filter(wait -> !wait.isZero())
                    .min(Duration::compareTo)
                    .filter(wait -> wait.compareTo(LONGEST_REST) < 0)
                    .orElse(LONGEST_REST);
        }
    }
}
