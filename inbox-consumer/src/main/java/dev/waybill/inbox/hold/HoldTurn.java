package dev.waybill.inbox.hold;

import static dev.waybill.schema.jooq.Tables.INBOX_HOLD;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.inbox.ConsumerListener.Outcome;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.defer.DeferringAttempt;
import dev.waybill.inbox.event.HoldCount;
import dev.waybill.inbox.handle.InPlaceRetry;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.Recorder;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.settle.HeldInbound;
import dev.waybill.inbox.transaction.AttemptOutcome;
import dev.waybill.supervision.Traces;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the messages of due holds in order. While a hold exists, all messages of its session join it; the session's lock waits for
 * messages recorded earlier. A failed message waits for a later attempt, so that other holds do not wait for it. Thread-safe.
 */
public final class HoldTurn {
    private static final Logger LOG = LoggerFactory.getLogger(HoldTurn.class);
    private static final Traces TRACES = new Traces();
    private static final int MESSAGES = 50;
    private static final Duration LAST_BEGIN = Duration.ofSeconds(20);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration REST_WHEN_NOT_TO_BLAME = Duration.ofSeconds(5);

    /** How long one attempt retries a message before other holds get their turn. */
    private static final Duration LONGEST_IN_PLACE = Duration.ofMillis(250);

    /** Another worker may use the session for as long as a handler may take. */
    public static final Duration LONGEST_LOCK_WAIT = Duration.ofSeconds(1);

    private static final Duration REST_WHEN_BUSY = Duration.ofSeconds(1);

    private final DSLContext dsl;
    private final ConsumerSettings settings;
    private final EntityDescription facts;
    private final Opening opening;
    private final WorkerClock clock;
    private final Duration inPlace;
    private final Attempts attempts;
    private final HoldTable table;
    private final HeldDeferrals deferrals;
    private final Condition ours;

    public HoldTurn(
            DSLContext dsl,
            DeferralTable deferrals,
            ConsumerSettings settings,
            EntityDescription facts,
            Opening opening,
            WorkerClock clock) {
        this.dsl = dsl;
        this.settings = settings;
        this.facts = facts;
        this.opening = opening;
        this.clock = clock;
        inPlace = Collections.min(List.of(settings.policies().retries().maxInPlace(), LONGEST_IN_PLACE));
        attempts = Attempts.in(settings.store().schema(), HoldSide.INBOX);
        table = HoldTable.in(settings.store().schema(), HoldSide.INBOX);
        this.deferrals = new HeldDeferrals(dsl, deferrals, settings);
        ours = INBOX_HOLD.CONSUMER.eq(settings.store().consumer());
    }

    public record Opening(Recorder recorder, InPlaceRetry tries, HoldCount count) {}

    // Returns whether a hold was due. Runs found before it handles messages, because there may be other holds.
    public boolean run(InFlightWork work, Runnable found) throws InterruptedException {
        var limits = new Attempts.Limits(
                1, MESSAGES, LAST_BEGIN.plus(longestMessage()).plus(ANSWER));
        List<Attempt> begun = attempts.begin(dsl, ours, limits);
        if (!begun.isEmpty()) {
            found.run();
        }
        for (Attempt attempt : begun) {
            handle(attempt, work);
        }
        return !begun.isEmpty();
    }

    private Duration longestMessage() {
        return inPlace.plus(LONGEST_LOCK_WAIT).plus(settings.times().handlerTimeout());
    }

    private void handle(Attempt attempt, InFlightWork work) throws InterruptedException {
        long begunAt = clock.now();
        try {
            for (HeldMessage held : attempt.messages()) {
                // Each message needs its full time within the attempt.
                if (clock.stopping() || clock.since(begunAt).compareTo(LAST_BEGIN) > 0) {
                    break;
                }
                if (handle(attempt, held, work) == AttemptState.ENDED) {
                    return;
                }
            }
            settle(attempt, AttemptResult.interrupted(Duration.ZERO));
        } catch (InterruptedException e) {
            // The consumer stops. Left open, the attempt would block the hold until it expires, and count as one that
            // ended a process.
            giveBack(attempt);
            throw e;
        } catch (LockLostException e) {
            LOG.info("{}; another process continues it", e.getMessage());
        }
    }

    private AttemptState handle(Attempt attempt, HeldMessage held, InFlightWork work) throws InterruptedException {
        InboundMessage message;
        try {
            message = HeldInbound.of(held, facts.path());
        } catch (RuntimeException e) {
            return failed(attempt, held, AttemptOutcome.failed(e, FailureKind.PERMANENT));
        }
        var recorder = new HeldRecorder(opening.recorder(), attempts, attempt, held);
        Optional<AttemptOutcome> last = opening.tries().inPlace(Handling.alone(message, recorder), work, inPlace);
        if (last.isEmpty()) {
            settle(attempt, AttemptResult.interrupted(Duration.ZERO));
            return AttemptState.ENDED;
        }
        if (last.get().verdict() instanceof Verdict.Defer defer) {
            var deferral = last.get().deferring(defer.key(), null, DeferringAttempt.Limits.of(settings, facts));
            return deferred(attempt, held, message, deferral);
        }
        return (last.get().result() != null && last.get().result().isDone())
                ? done(message, last.get())
                : failed(attempt, held, last.get());
    }

    private AttemptState deferred(
            Attempt attempt, HeldMessage held, InboundMessage message, DeferringAttempt deferral) {
        AttemptState state = deferrals.defer(attempt, held, message, deferral);
        settings.hooks().listener().settled(message, Outcome.DEFERRED);
        return state;
    }

    private AttemptState done(InboundMessage message, AttemptOutcome last) {
        opening.count().handled();
        settings.hooks()
                .listener()
                .settled(
                        message,
                        last.result() == null ? Outcome.DONE : last.result().outcome());
        return AttemptState.OPEN;
    }

    private AttemptState failed(Attempt attempt, HeldMessage held, AttemptOutcome last) {
        var cause = new Cause(last.reason(), last.description());
        if (last.verdict() instanceof Verdict.Retry retry) {
            settle(attempt, AttemptResult.later(cause, retry.after()));
        } else if (last.kind() == FailureKind.TRANSIENT) {
            settle(attempt, AttemptResult.interrupted(last.blameless() ? REST_WHEN_BUSY : REST_WHEN_NOT_TO_BLAME));
        } else if (last.kind() == FailureKind.UNKNOWN && hasTimeLeft(attempt, held)) {
            settle(
                    attempt,
                    AttemptResult.later(cause, settings.policies().retries().longest()));
        } else if (settings.policies().onFailure() == OnFailure.HOLD_SESSION
                || attempt.key().message() != null) {
            settle(attempt, AttemptResult.parked(cause));
        } else {
            return setAside(attempt, held, cause) ? AttemptState.OPEN : AttemptState.ENDED;
        }
        return AttemptState.ENDED;
    }

    // The time in place under a lock, spread over several attempts.
    private boolean hasTimeLeft(Attempt attempt, HeldMessage held) {
        int attempted = held.place() == attempt.messages().get(0).place() ? attempt.tries() : 1;
        Duration spent = inPlace.plus(settings.policies().retries().longest()).multipliedBy(attempted);
        return spent.compareTo(settings.policies().retries().maxInPlace()) < 0;
    }

    // The session was held only to wait. By policy it continues without the message, which the broker no longer has.
    private boolean setAside(Attempt attempt, HeldMessage held, Cause cause) {
        return dsl.transactionResult(tx -> {
            boolean ours = attempts.done(tx.dsl(), attempt, held);
            if (ours) {
                var alone = HoldKey.message(
                        HoldSide.INBOX,
                        settings.store().consumer(),
                        held.content().sessionId(),
                        held.content().messageId());
                table.add(tx.dsl(), table.park(tx.dsl(), alone, cause), held);
            }
            return ours;
        });
    }

    private void giveBack(Attempt attempt) {
        try {
            settle(attempt, AttemptResult.interrupted(Duration.ZERO));
        } catch (RuntimeException e) {
            TRACES.warn(
                    LOG,
                    "The attempt at the hold of the " + attempt.key()
                            + " could not be ended and blocks the hold until it expires",
                    e);
        }
    }

    private void settle(Attempt attempt, AttemptResult ending) {
        if (!attempts.settle(dsl, attempt, List.of(), ending)) {
            throw new LockLostException("The attempt at the hold of the " + attempt.key() + " has ended", null);
        }
    }
}
