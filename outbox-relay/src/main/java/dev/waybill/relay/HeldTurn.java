package dev.waybill.relay;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.Attempts.Limits;
import dev.waybill.hold.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Publishes held messages that are due: each hold in order, several holds side by side. Until a hold is empty, new rows of
 * its session join it, so nothing overtakes.
 */
final class HeldTurn {
    private static final int HOLDS_AT_ONCE = 16;

    /** A held message whose sends never end well is not to take a turn's time each time. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    private final Outlet outlet;
    private final OutboxHolds holds;
    private final AttemptTime time;
    private final LongSupplier nanoTime;

    HeldTurn(Outlet outlet, OutboxHolds holds, AttemptTime time, LongSupplier nanoTime) {
        this.outlet = outlet;
        this.holds = holds;
        this.time = time;
        this.nanoTime = nanoTime;
    }

    /** Takes one turn over the holds of these buckets. */
    TurnOutcome run(Collection<Short> buckets, int pageRows) {
        long end = nanoTime.getAsLong() + time.mayStart().toNanos();
        List<Attempt> attempts =
                holds.begin(outlet.destination(), buckets, new Limits(HOLDS_AT_ONCE, pageRows, time.whole()));
        var sends = new ArrayList<CompletableFuture<PublishResult>>();
        attempts.forEach(attempt -> sends.add(publish(attempt, end)));
        CompletableFuture.allOf(sends.toArray(CompletableFuture[]::new)).join();
        TurnOutcome outcome = TurnOutcome.IDLE;
        for (int i = 0; i < sends.size(); i++) {
            outcome = outcome.plus(settle(attempts.get(i), sends.get(i).join()));
        }
        return outcome;
    }

    private CompletableFuture<PublishResult> publish(Attempt attempt, long end) {
        var rows = attempt.messages().stream().map(OutboxRow::new).toList();
        return outlet.send(rows, () -> nanoTime.getAsLong() - end < 0);
    }

    private TurnOutcome settle(Attempt attempt, PublishResult result) {
        var published = attempt.messages().subList(0, result.accepted());
        boolean refused = result.outcome() == Outcome.MESSAGE_REFUSED;
        Duration rest = result.failure() == null ? Duration.ZERO : AFTER_FAILURE;
        Ending ending = refused ? Ending.parked(LaneRun.causeOf(result.failure())) : Ending.interrupted(rest);
        holds.settle(attempt, published, ending);
        return new TurnOutcome(published.size(), 0, refused ? null : result.failure());
    }

    /**
     * How long an attempt takes.
     *
     * @param mayStart how long sends may be started
     * @param whole after which nothing of it can be under way any more
     */
    record AttemptTime(Duration mayStart, Duration whole) {
        /** For a publisher whose sends take no longer than this. */
        static AttemptTime of(Duration leaseDuration, Duration longestSend) {
            return new AttemptTime(leaseDuration.dividedBy(2), leaseDuration.plus(longestSend));
        }
    }
}
