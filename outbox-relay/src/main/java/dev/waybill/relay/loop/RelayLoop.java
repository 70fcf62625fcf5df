package dev.waybill.relay.loop;

import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.relay.loop.Destination.Trouble;
import dev.waybill.relay.loop.Reading.Answer;
import dev.waybill.relay.loop.Reading.Found;
import dev.waybill.relay.loop.Reading.Question;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a relay for all its destinations. A turn settles, claims and releases, reads and sends; it does not wait for
 * reads and settles. All memory is a cache: the row is the truth.
 *
 * <p>{@link #turn} and {@link #leave} belong to one thread; all other methods are thread-safe.
 */
public final class RelayLoop {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLoop.class);
    private static final long LONGEST_REST = Duration.ofMillis(500).toNanos();

    private final Map<String, Destination> served = new LinkedHashMap<>();
    private final LoopParts parts;
    private final Statements statements;
    private final Lease lease;
    private final LoopProgress progress;
    private final LongSupplier nanoTime;
    private final Wakes wakes;
    private final ReadPace pace;
    private volatile boolean membersChanged;
    private volatile Set<String> ownedNames = Set.of();
    private long generation = -1;
    private boolean foundNothing;
    private boolean failing;
    private long answersAtFailure;
    private long askedAt;
    private int published;

    RelayLoop(
            LoopParts parts,
            Statements statements,
            Lease lease,
            LoopProgress progress,
            List<Destination> destinations,
            LongSupplier nanoTime) {
        this.parts = parts;
        this.statements = statements;
        this.lease = lease;
        this.progress = progress;
        this.nanoTime = nanoTime;
        wakes = new Wakes(nanoTime);
        pace = parts.reading().pace();
        destinations.forEach(destination -> served.put(destination.name(), destination));
    }

    /** Returns whether to signal the loop. */
    public boolean wake() {
        return wakes.add(served.keySet());
    }

    /** As {@link #wake()}, for a destination that this relay {@linkplain #publishes publishes}. */
    public boolean wake(String destination) {
        return wakes.add(Set.of(destination));
    }

    public boolean publishes(String destination) {
        return ownedNames.contains(destination) && lease.isTrusted();
    }

    public void membersChanged() {
        membersChanged = true;
    }

    public Set<String> ownedNames() {
        return ownedNames;
    }

    /** The number of accepted messages since the last call. */
    public int takePublished() {
        int taken = published;
        published = 0;
        return taken;
    }

    /** Takes a turn and returns the pause after it. Throws if the database fails; the memory stays valid. */
    public Duration turn() {
        published += parts.sending().collect();
        statements.take();
        if (!statements.isRunning()) {
            progress.tookTurn();
        }
        checkLease();
        noteWakes();
        if (membersChanged) {
            membersChanged = false;
            parts.ownership().wake();
        }
        settle(false);
        parts.ownership().step(served);
        giveUp();
        List<Destination> owned = owned();
        ownedNames = names(owned);
        read(owned);
        Sending sending = parts.sending();
        sending.clearDeaths(owned);
        parts.held().step(owned, parts.reading().isHeldDue() && !sending.isIsolating(owned));
        owned = owned();
        sending.send(owned, parts.held().isQuiet());
        // Results of a publisher that completes at once are settled in the next turn.
        report();
        return rest(owned);
    }

    private static Set<String> names(List<Destination> owned) {
        return owned.stream().map(Destination::name).collect(Collectors.toUnmodifiableSet());
    }

    private List<Destination> owned() {
        return Ownership.owned(served.values());
    }

    // Other relays may have owned the destinations after the lease lapsed.
    private void checkLease() {
        long current = lease.generation();
        if (current != generation) {
            owned().forEach(this::lose);
            generation = current;
            parts.sending().under(current);
            parts.ownership().wake();
        }
        owned().stream().filter(destination -> destination.mine().isLost()).forEach(this::lose);
    }

    private void lose(Destination destination) {
        destination.mine().lose();
        parts.ownership().drop(destination);
    }

    private void noteWakes() {
        long now = nanoTime.getAsLong();
        if (!wakes.isEmpty()) {
            served.values().stream()
                    .filter(destination -> wakes.contains(destination.name()))
                    .forEach(destination -> destination.schedule().wake(now));
        }
    }

    private void settle(boolean now) {
        if (!statements.isRunning()) {
            List<Destination> owned = owned();
            parts.settling().hold(owned);
            parts.settling().settle(owned, parts.reading().lastValue(), now);
        }
    }

    // Releases a destination after all sends in flight are settled.
    private void giveUp() {
        for (Destination destination : owned()) {
            Owned owned = destination.mine();
            if (owned.isLeaving() && owned.lanes().isSettled() && parts.held().isQuiet(destination)) {
                parts.ownership().release(destination, Duration.ZERO);
            }
        }
    }

    private void read(List<Destination> owned) {
        if (statements.isRunning()) {
            return;
        }
        long now = nanoTime.getAsLong();
        Memory part = Memory.OF_PROCESS.part(owned.size());
        List<Destination> due = owned.stream()
                .filter(destination -> destination.schedule().isDue(now) && now - mayReadAt(destination) >= 0)
                .toList();
        // Without room, reads now and then to notice a pause or another owner.
        boolean hasRoom = due.stream().anyMatch(d -> part.room(d.mine().lanes()) > 0);
        if (due.isEmpty() || (!hasRoom && now - askedAt < LONGEST_REST)) {
            return;
        }
        askedAt = now;
        due = owned.stream()
                .filter(destination -> destination.schedule().isNearlyDue(now))
                .toList();
        // Before the read, because later commits must wake the loop again.
        due.forEach(destination -> wakes.remove(destination.name()));
        Question question = parts.reading().ask(lease.relay(), due, part);
        statements.run(() -> parts.reading().fetch(question), answer -> found(question, answer));
    }

    private void found(Question question, Answer answer) {
        Found found = parts.reading().accept(question, answer.result(), owned());
        if (found.otherServer()) {
            parts.ownership().checkSequence();
        }
        long now = nanoTime.getAsLong();
        pace.after(now - answer.took(), answer.took(), found.more());
        foundNothing = !found.more() && found.destinations().isEmpty();
        if (!found.isRepeated()) {
            question.polled()
                    .forEach(destination ->
                            destination.schedule().polled(found.destinations().contains(destination), now));
        }
    }

    private void report() {
        for (Destination destination : served.values()) {
            int messages = destination.takePublished();
            boolean owned = destination.owned() != null;
            @Nullable Trouble failure = owned ? destination.failure() : null;
            @Nullable Trouble silence = isFailing() ? null : destination.silence();
            if (failure != null) {
                progress.enter(destination.name(), failure.state(), failure.detail());
            } else if (owned && !destination.mine().isOpen()) {
                progress.enter(destination.name(), "paused", "");
            } else if (silence != null) {
                progress.enter(destination.name(), silence.state(), silence.detail());
            } else if (!isFailing()) {
                progress.succeeded(destination.name(), messages);
            }
            parts.refusals().note(destination, messages);
            destination.log().turn(destination.sender().breaker());
        }
    }

    private Duration rest(List<Destination> owned) {
        long now = nanoTime.getAsLong();
        long rest = restNanos(owned, now);
        wakes.rests(statements.isRunning() ? now : now + rest, pace.mayReadAt(true));
        if (!wakes.isEmpty()) {
            noteWakes();
            rest = restNanos(owned, now);
        }
        return Duration.ofNanos(rest);
    }

    private long restNanos(List<Destination> owned, long now) {
        long rest = Math.min(LONGEST_REST, parts.ownership().dueIn());
        boolean idle = !statements.isRunning();
        rest = idle ? Math.min(rest, parts.settling().dueIn(owned)) : rest;
        for (Destination destination : owned) {
            boolean hasRoom =
                    Memory.OF_PROCESS.part(owned.size()).room(destination.mine().lanes()) > 0;
            rest = idle && hasRoom ? Math.min(rest, pollIn(destination, now)) : rest;
            long backOff = destination.backOff().toNanos();
            rest = backOff > 0 ? Math.min(rest, backOff) : rest;
        }
        return Math.max(0, rest);
    }

    // Where more messages are likely, the loop polls at the time of an early read, so that writers need not signal it.
    private long pollIn(Destination destination, long now) {
        long due = destination.schedule().dueIn(now);
        long early = Math.max(due, pace.mayReadAt(true) - now);
        boolean isEarly = due == 0 && early > 0;
        return isEarly ? early : Math.max(due, mayReadAt(destination) - now);
    }

    private long mayReadAt(Destination destination) {
        return pace.mayReadAt(wakes.contains(destination.name()));
    }

    /** Takes a turn that reads and settles at once; returns whether nothing remains to do for now. */
    boolean drainStep() {
        boolean prepared = isPrepared();
        for (Destination destination : served.values()) {
            if (destination.owned() == null) {
                parts.ownership().wake();
            }
        }
        wake();
        pace.restart(nanoTime.getAsLong());
        settleAll();
        foundNothing = false;
        turn();
        settleAll();
        boolean nothing = foundNothing || owned().isEmpty();
        return prepared && nothing && isQuiet() && owned().stream().allMatch(this::isDone);
    }

    /** Whether the publisher has opened its connections for all destinations. */
    boolean isPrepared() {
        return served.values().stream().allMatch(Destination::isPrepared);
    }

    private void settleAll() {
        statements.await();
        settle(true);
        statements.await();
    }

    private boolean isDone(Destination destination) {
        var lanes = destination.mine().lanes();
        boolean sends = destination.mine().isServed() && destination.backOff().isZero();
        return lanes.acceptedCount() == 0 && !(sends && lanes.isWaiting());
    }

    void failed() {
        failing = true;
        answersAtFailure = statements.answers();
    }

    /** Whether a turn has failed and no statement has succeeded since. */
    boolean isFailing() {
        failing &= statements.isRunning() && statements.answers() == answersAtFailure;
        return failing;
    }

    /** Whether nothing is in flight. */
    boolean isQuiet() {
        return parts.sending().isQuiet() && parts.held().isQuiet();
    }

    /** Stops sending and settles results. */
    void leave() {
        owned().forEach(destination -> destination.mine().leave());
        published += parts.sending().collect();
        parts.held().step(owned(), false);
        try {
            statements.await();
        } catch (RuntimeException e) {
            LOG.debug("A statement in flight at the stop has failed", e);
        }
        int left = acceptedCount();
        int before;
        do {
            before = left;
            settleAll();
            left = acceptedCount();
        } while (left > 0 && left < before);
    }

    private int acceptedCount() {
        return owned().stream()
                .mapToInt(destination -> destination.mine().lanes().acceptedCount())
                .sum();
    }

    /** Releases all destinations. Others may claim one with sends in flight only after {@code longestSend}. */
    void release(Duration longestSend) {
        for (Destination destination : owned()) {
            boolean quiet =
                    !destination.mine().lanes().isSending() && parts.held().isQuiet(destination);
            parts.ownership().release(destination, quiet ? Duration.ZERO : longestSend);
        }
        ownedNames = Set.of();
    }
}
