package dev.waybill.relay;

import dev.waybill.relay.ScheduledTable.Batch;
import dev.waybill.relay.ScheduledTable.Look;
import dev.waybill.relay.ScheduledTable.Moment;
import dev.waybill.relay.ScheduledTable.Replaced;
import dev.waybill.relay.ScheduledTable.WritersExcluded;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves messages into the outbox when their time has come. Any number of relays may do so side by side. A failure of one
 * destination keeps no other from its turn; a failure of the whole database ends the step. Not thread-safe: one thread calls
 * {@link #step()}.
 */
final class Scheduling {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduling.class);

    /** How late a message may be that is scheduled while the relay rests; also what an idle relay costs: a query a second. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /** For rows that are due and that somebody holds on to. */
    private static final Duration REST_WHILE_LOCKED = Duration.ofMillis(250);

    /** How long a step waits for sessions that are always being appended to, with all destinations waiting too. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    /** Batches of each destination in a step, before messages that were left behind have their turn. */
    private static final int MOST_ROUNDS = 20;

    private final ScheduledTable table;
    private final Consumer<String> moved;
    private final RandomGenerator random;
    private final Map<String, DueFloor> floors = new LinkedHashMap<>();
    private final LongSupplier nanos;
    private final Fault fault;
    private final DueFailures failures;
    private String server = "";
    /** The destination whose turn has ended this step; empty if none has. */
    private String failed = "";

    /** @param moved told the destination after messages to it have come into the outbox */
    Scheduling(ScheduledTable table, List<String> destinations, Consumer<String> moved, RandomGenerator random) {
        this(table, destinations, moved, random, System::nanoTime);
    }

    /** @param nanos says how long a destination that failed has rested, and how long sessions were waited for */
    Scheduling(
            ScheduledTable table,
            List<String> destinations,
            Consumer<String> moved,
            RandomGenerator random,
            LongSupplier nanos) {
        this.table = table;
        this.moved = moved;
        this.random = random;
        this.nanos = nanos;
        fault = new Fault(LOG, nanos);
        failures = new DueFailures(LONGEST_REST, nanos);
        destinations.forEach(destination -> floors.put(destination, new DueFloor(destination)));
    }

    /** The failures of whole steps. */
    Fault fault() {
        return fault;
    }

    /** Moves what is due and says how long to rest; a failure is told and waited out, never thrown. */
    Duration step() {
        try {
            boolean isOfAll = !failures.hasSuspects();
            Duration rest = turn();
            if (isOfAll) {
                fault.over("Messages that are due are moved into the outbox again");
            }
            return rest;
        } catch (RuntimeException e) {
            String turn = failed.isEmpty() ? "" : "; it was the turn of '" + failed + "'";
            fault.met("Messages that are due could not be moved into the outbox, and it is tried again" + turn, e);
            return LONGEST_REST;
        }
    }

    /** Moves all that is due, as far as nobody holds on to it; returns why not, or null. */
    @Nullable RuntimeException moveAll() {
        failures.endRests();
        try {
            while (turn().isZero()) {
                LOG.debug("Messages whose time has come were moved into the outbox");
            }
            return failures.first();
        } catch (RuntimeException e) {
            return e;
        }
    }

    private Duration turn() {
        failed = "";
        try {
            Duration rest = move();
            failures.endSuspicions();
            return rest;
        } catch (WritersExcluded e) {
            LOG.debug("Messages that are due wait, as all appends do", e);
            return REST_WHILE_LOCKED;
        } catch (RuntimeException e) {
            forget();
            throw e;
        }
    }

    private Duration move() {
        List<DueFloor> hadLeft =
                floors.values().stream().filter(DueFloor::hasLeft).toList();
        int count = 0;
        Look look;
        Batch round;
        int rounds = 0;
        do {
            look = look();
            round = moveDue(look);
            count += round.moved();
            rounds++;
        } while (round.full() && rounds < MOST_ROUNDS);
        for (DueFloor floor : hadLeft) {
            if (floors.containsValue(floor)) {
                count += turnOf(floor, () -> new Batch(table.moveLeft(floor, server), false))
                        .moved();
                count += turnOf(floor, () -> new Batch(table.moveLoose(floor, server), false))
                        .moved();
            }
        }
        count += waitForSessions();
        return count > 0 ? Duration.ZERO : rest(look);
    }

    // A session that is appended to all the time is never free at a glance. Messages that fall due for others wait
    // meanwhile, so all waits of a step share one limit, and those that have had their turn come last in the next step.
    private int waitForSessions() {
        int count = 0;
        long begun = nanos.getAsLong();
        for (DueFloor floor : List.copyOf(floors.values())) {
            Duration left = PATIENCE.minusNanos(nanos.getAsLong() - begun);
            if (left.toMillis() > 0 && floor.hasLeftSessions()) {
                floors.remove(floor.destination());
                floors.put(floor.destination(), floor);
                count += turnOf(floor, () -> moveOneOf(floor, left)).moved();
            }
        }
        return count;
    }

    // The floors of a server that was started anew, or of another one, say nothing about this one.
    private Look look() {
        Look look = table.look(floors.values());
        if (!look.moment().server().equals(server)) {
            forget();
            look = table.look(floors.values());
        }
        server = look.moment().isPrimary() ? look.moment().server() : "";
        return look;
    }

    private void forget() {
        server = "";
        floors.replaceAll((destination, floor) -> new DueFloor(destination));
    }

    // One batch of each destination. The next round looks again, so what falls due for another destination meanwhile
    // does not wait for thousands of the first.
    private Batch moveDue(Look look) {
        int count = 0;
        boolean full = false;
        for (DueFloor floor : floors.values()) {
            if (isDue(look.waits().get(floor.destination()))) {
                Batch batch = turnOf(floor, () -> table.move(floor, server));
                count += batch.moved();
                full |= batch.full();
            } else {
                noneDue(floor, look.moment());
            }
        }
        return new Batch(count, full);
    }

    private void noneDue(DueFloor floor, Moment moment) {
        if (moment.isPrimary()) {
            floor.reach(moment.place(), moment.snapshot());
        }
        if (!floor.hasLeft()) {
            failures.over(floor.destination());
        }
    }

    // A failure is the destination's own only if the database answers after it, also on another connection. Else each
    // destination would wait for an answer in vain.
    private Batch turnOf(DueFloor floor, Supplier<Batch> turn) {
        String destination = floor.destination();
        if (failures.rests(destination)) {
            return Batch.NONE;
        }
        try {
            return told(destination, turn.get());
        } catch (Replaced | WritersExcluded e) {
            throw e;
        } catch (RuntimeException e) {
            failed(destination, e);
            return Batch.NONE;
        }
    }

    private void failed(String destination, RuntimeException failure) {
        failed = destination;
        if (DueFailures.isOfAll(failure)) {
            throw failure;
        }
        failures.suspect(destination);
        table.requireAnswer();
        failures.met(destination, failure);
        failed = "";
    }

    private Batch told(String destination, Batch batch) {
        if (batch.moved() > 0) {
            moved.accept(destination);
            failures.over(destination);
        }
        return batch;
    }

    // By chance, so that no session keeps the others of its destination from their turn.
    private Batch moveOneOf(DueFloor floor, Duration patience) {
        List<String> left = floor.sessions();
        return new Batch(table.moveOf(floor, server, left.get(random.nextInt(left.size())), patience), false);
    }

    private Duration rest(Look look) {
        Duration rest = LONGEST_REST;
        for (DueFloor floor : floors.values()) {
            Duration next = rest(floor, look.waits().getOrDefault(floor.destination(), LONGEST_REST));
            rest = next.compareTo(rest) < 0 ? next : rest;
        }
        return rest;
    }

    private Duration rest(DueFloor floor, Duration wait) {
        if (failures.rests(floor.destination())) {
            return LONGEST_REST;
        }
        return floor.hasLeft() || isDue(wait) ? REST_WHILE_LOCKED : wait;
    }

    private static boolean isDue(@Nullable Duration wait) {
        return wait != null && wait.compareTo(Duration.ZERO) <= 0;
    }
}
