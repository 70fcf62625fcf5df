package dev.waybill.relay;

import dev.waybill.relay.HeldTurn.AttemptTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One destination: take and give back lanes, read, publish, settle. Each lane goes on by itself. Destinations share nothing,
 * so a slow or dead one delays nobody else. Not thread-safe: one thread calls it.
 */
final class DestinationTurn implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofDays(1);

    private final DestinationSender sender;
    private final LoopConnections connections;
    private final RelayTables.Source source;
    private final Liveness liveness;
    private final LongSupplier nanoTime;
    private final Arrivals arrivals;
    private final OwnedLanes owned;
    private final Recovery recovery;
    private final LaneReads reads;
    private final Settles settles;
    private final HeldTurn heldTurn;
    private final SuspectedLanes suspected;
    private @Nullable LoopConnection connection;
    private @Nullable RelayTables tables;
    private CompletableFuture<?> abandoned = CompletableFuture.completedFuture(true);
    private @Nullable CompletableFuture<?> connected;
    private int lapses;
    private boolean trusted;
    private boolean lookMissed;

    /** @param onArrival called when something that was sent has met its fate */
    DestinationTurn(
            DestinationSender sender,
            LoopConnections connections,
            RelayTables.Source source,
            Liveness liveness,
            LeaseClock lease,
            Runnable onArrival) {
        this.sender = sender;
        this.connections = connections;
        this.source = source;
        this.liveness = liveness;
        nanoTime = lease.nanoTime();
        this.arrivals = new Arrivals(onArrival);
        this.owned = new OwnedLanes(sender, lease.duration(), nanoTime);
        var shipping = new Shipping(sender, liveness, () -> lapses, owned::entity, arrivals);
        this.reads = new LaneReads(owned, shipping, nanoTime);
        this.recovery = new Recovery(owned, nanoTime);
        this.settles = new Settles(owned, recovery, nanoTime, liveness::moved);
        this.suspected = new SuspectedLanes(owned, new OneByOneTurn(shipping, sender.policy()), settles, nanoTime);
        this.heldTurn = new HeldTurn(
                sender,
                recovery,
                AttemptTime.of(lease.duration(), sender.publisher().longestSend()),
                nanoTime,
                owned::entity,
                arrivals);
    }

    /**
     * Takes one step and waits for nothing: settles what has come back, gives the publisher what it finds.
     *
     * @param look whether to look for new rows also in lanes that had nothing left
     * @throws HistoryChangedException if the recorded cursors do not fit this database
     * @throws RuntimeException if the database fails; nothing is assumed about what it did
     */
    TurnOutcome step(boolean look) {
        if (!abandoned.isDone()) {
            return TurnOutcome.IDLE;
        }
        arrivals.begin();
        try {
            RelayTables now = connect();
            TurnOutcome outcome = land(now);
            settles.settleIfDue(now, outcome.failure() != null);
            if (look && owned.isEmpty()) {
                // Without lanes nothing is read that would tell that one has become free.
                owned.saw(now.reader().peek().changes());
            }
            takeStock(now);
            lookMissed |= look;
            if (maySend()) {
                lookMissed &= !look;
                outcome = outcome.plus(send(now, look)).plus(land(now));
                settles.settleIfDue(now, outcome.failure() != null);
            }
            owned.giveBackDrained(now);
            return outcome;
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        } finally {
            arrivals.end();
        }
    }

    private RelayTables connect() {
        if (tables == null) {
            connection = connections.open();
            tables = RelayTables.of(connection, source, sender.destination());
        }
        return tables;
    }

    /**
     * Gets ready to take lanes, so that nothing of them waits while connections open, classes load and statements are planned.
     *
     * @return completes, always normally, when the publisher is connected or has tried for long enough
     */
    CompletableFuture<?> prepare() {
        if (connected == null) {
            connected = sender.prepare();
            // Not before it is done: the loop may ask as soon as it is told.
            var unused = connected.thenRun(arrivals);
        }
        CompletableFuture<?> connecting = connected;
        try {
            WarmUp.run(connect(), sender.destination());
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
        return connecting;
    }

    /** Compares with the database which lanes are ours, and takes what should be. */
    void takeLanes() {
        owned.look(connect());
    }

    private void takeStock(RelayTables now) {
        boolean trustedNow = liveness.isTrusted();
        if (trustedNow && !trusted) {
            owned.lookAgain();
        }
        trusted = trustedNow;
        int lapsesNow = liveness.lapses();
        if (lapsesNow != lapses) {
            lapses = lapsesNow;
            giveUp();
            owned.forgetAfterStall();
        }
        if (owned.isLookDue() && abandoned.isDone()) {
            owned.look(now);
        }
    }

    /** Whether something of what is found may be given to the publisher. */
    boolean maySend() {
        return abandoned.isDone()
                && liveness.isTrusted()
                && sender.breaker().rest().isZero();
    }

    private TurnOutcome send(RelayTables now, boolean look) {
        TurnOutcome outcome = suspected.send(now);
        try {
            reads.read(now, look);
        } catch (RuntimeException | OutOfMemoryError e) {
            reads.askForLess();
            throw e;
        }
        recovery.looked(look);
        if (reads.takeHoldsDue() && heldTurn.isQuiet()) {
            List<Short> buckets =
                    owned.all().stream().map(state -> state.lane().bucket()).toList();
            heldTurn.begin(now.holds(), buckets, now.pageRows());
        }
        return outcome;
    }

    private TurnOutcome land(RelayTables now) {
        arrivals.land();
        boolean wasQuiet = heldTurn.isQuiet();
        TurnOutcome outcome = heldTurn.land(now.holds());
        // Only a look finds what a hold has left, and holds that have become due meanwhile.
        lookMissed |= !wasQuiet && heldTurn.isQuiet();
        for (LaneState state : owned.all()) {
            if (!state.isQuiet()) {
                outcome = outcome.plus(state.land(nanoTime.getAsLong()));
            }
        }
        return outcome;
    }

    /** The cheapest look for whether a step would find something; null if only the step itself can tell. */
    @Nullable Peek peek() {
        if (tables == null || reads.missedAny() || owned.isLookDue()) {
            return null;
        }
        try {
            Peek peek = tables.reader().peek();
            owned.saw(peek.changes());
            return peek;
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /** Whether the lanes have read what a peek has seen. */
    boolean isUpToDate(Peek peek) {
        return reads.isUpToDate(peek) && !owned.isLookDue();
    }

    /** Whether something waits that only a look finds, and can be sent now. */
    boolean owesLook() {
        return lookMissed && maySend();
    }

    /** Whether there is a connection, and with it something to go on from. */
    boolean isConnected() {
        return tables != null;
    }

    /** Whether it works again, if a step has failed. */
    boolean isRecovered() {
        return !recovery.isUnderWay() || recovery.ends(isQuiet(), isPaused());
    }

    /** Whether the last read found the destination paused. */
    boolean isPaused() {
        return reads.isPaused();
    }

    /** How many held messages were sent since the last call. */
    int takeHeldSent() {
        return heldTurn.takeSent();
    }

    /** Whether nothing is on its way. */
    boolean isQuiet() {
        return abandoned.isDone() && heldTurn.isQuiet() && owned.all().stream().allMatch(LaneState::isQuiet);
    }

    /** Whether a step at once would read more. */
    boolean isBehind() {
        return maySend() && reads.isBehind();
    }

    /** How long a step can wait if nothing comes back before and nobody says that there is something new. */
    Duration rest(Duration longest) {
        if (!abandoned.isDone()) {
            return longest;
        }
        long now = nanoTime.getAsLong();
        // Differences, for the clock's values themselves may overflow.
        long left = Math.min(longest.toNanos(), owned.restNanos(now));
        @Nullable Long settle = settles.dueAtNanos();
        if (settle != null) {
            left = Math.min(left, settle - now);
        }
        return Duration.ofNanos(Math.max(0, left));
    }

    /** Takes steps until there is nothing more to read and everything has come back, then settles. */
    TurnOutcome run() {
        owned.all().forEach(state -> state.rested(nanoTime.getAsLong()));
        abandoned.join();
        TurnOutcome outcome = step(true);
        while (!isQuiet() || isBehind()) {
            if (!isBehind()) {
                awaitArrival(FOREVER);
            }
            outcome = outcome.plus(step(false));
        }
        if (tables != null) {
            settles.settleNow(tables);
            owned.giveBackDrained(tables);
        }
        return outcome;
    }

    private void awaitArrival(Duration patience) {
        var ends = Stream.concat(owned.all().stream().map(LaneState::nextEnd), Stream.of(heldTurn.nextEnd(), abandoned))
                .filter(end -> !end.isDone())
                .toArray(CompletableFuture[]::new);
        if (ends.length > 0) {
            CompletableFuture.anyOf(ends)
                    .exceptionally(thrown -> null)
                    .completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        }
    }

    // Nobody knows how far the database came, so everything that is believed is read again; but not while something is
    // under way that would arrive beside what is then sent.
    private void abandon() {
        recovery.begin();
        giveUp();
        owned.forget();
        reads.forget();
        heldTurn.forget();
        if (connection != null) {
            connection.abandon();
        }
        connection = null;
        tables = null;
    }

    private void giveUp() {
        Stream<CompletableFuture<?>> underWay = Stream.concat(
                owned.all().stream().map(LaneState::giveUp),
                Stream.of(heldTurn.end().exceptionally(thrown -> null)));
        abandoned = CompletableFuture.allOf(
                Stream.concat(Stream.of(abandoned), underWay).toArray(CompletableFuture[]::new));
    }

    /**
     * Lets what is on its way end, settles it and gives all lanes back.
     *
     * @param patience for what is on its way
     * @return how many lanes could not be given back, because the fate of something is not known
     */
    int leave(Duration patience) {
        long end = nanoTime.getAsLong() + patience.toNanos();
        // Nothing more is begun, so that the patience covers what is: others may take the lanes as soon as it is over.
        owned.all().forEach(state -> {
            state.drain(true);
            var unused = state.giveUp();
        });
        heldTurn.leave();
        boolean recorded = tryToGiveBack();
        while (!isQuiet() && end - nanoTime.getAsLong() > 0) {
            awaitArrival(Duration.ofNanos(Math.max(1, end - nanoTime.getAsLong())));
            if (recorded) {
                recorded = tryToGiveBack();
            } else if (tables != null) {
                land(tables);
            }
        }
        giveBackWhatHasEnded();
        return owned.all().size();
    }

    // At each arrival: whoever is killed while the slowest is awaited has recorded the others. A database that fails
    // cuts no wait short; the last attempt tells of it.
    private boolean tryToGiveBack() {
        try {
            giveBackWhatHasEnded();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void giveBackWhatHasEnded() {
        if (tables != null) {
            land(tables);
            settles.settleNow(tables);
            owned.giveBackDrained(tables);
        }
    }

    /** Whether this relay has all lanes of the destination. */
    boolean ownsAll() {
        return owned.isAll();
    }

    /** Gives the connection back. */
    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        connection = null;
        tables = null;
    }
}
