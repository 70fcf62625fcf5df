package dev.waybill.inbox;

import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries a message, under watch, until it is decided or the time in place is over. Thread-safe. */
final class InPlaceRetry {
    private static final Logger LOG = LoggerFactory.getLogger(InPlaceRetry.class);
    private static final Traces TRACES = new Traces();

    private final InboxTransaction transaction;
    private final ConsumerSettings settings;
    private final FailurePolicy failures;
    private final DatabaseGate gate;
    private final Pace pace;

    InPlaceRetry(InboxTransaction transaction, ConsumerSettings settings, DatabaseGate gate, Pace pace) {
        this.transaction = transaction;
        this.settings = settings;
        this.failures = settings.failures.or(FailurePolicy.STANDARD);
        this.gate = gate;
        this.pace = pace;
    }

    /**
     * The last try's outcome; empty if the consumer is to stop.
     *
     * @throws LockLostException if the message's lock was lost meanwhile, whatever came of the try
     */
    Optional<TryResult> inPlace(Handling handling, Work work) throws InterruptedException {
        return inPlace(handling, work, settings.retries.maxInPlace());
    }

    /** The same for another time than the policy's. */
    Optional<TryResult> inPlace(Handling handling, Work work, Duration atMost) throws InterruptedException {
        long startedAt = pace.now();
        for (int tries = 1; ; tries++) {
            // Completions that wait for the next one's transaction have waited long enough after a pause.
            TryResult last = once(tries == 1 ? handling : handling.alone(), work);
            if (last.thrown() != null && pace.stopping()) {
                // It may have failed because of the stop. Left as it is, it is tried again elsewhere.
                return Optional.empty();
            }
            if (last.isFinal()) {
                return Optional.of(last);
            }
            Duration pause = pause(last, tries);
            if (pace.since(startedAt).plus(pause).compareTo(atMost) > 0) {
                return Optional.of(last);
            }
            if (!rested(pause, work)) {
                return Optional.empty();
            }
        }
    }

    boolean stopping() {
        return pace.stopping();
    }

    private TryResult once(Handling handling, Work work) throws InterruptedException {
        InboundMessage message = handling.message();
        work.begin();
        try {
            TryResult done = TryResult.of(transaction.process(handling, work));
            gate.open();
            return done;
        } catch (LockLostException e) {
            throw e;
        } catch (Throwable e) {
            boolean timedOut = work.end();
            work.requireLock();
            if (e instanceof InterruptedException stop && pace.stopping()) {
                throw stop;
            }
            // The work outside would be done again, whatever has ended the handler.
            return timedOut && !(e instanceof OutsideWorkException)
                    ? failed(message, new HandlerTimeoutException(settings.handlerTimeout, e), FailureKind.UNKNOWN)
                    : failed(message, e);
        } finally {
            work.end();
        }
    }

    private TryResult failed(InboundMessage message, Throwable thrown) {
        return thrown instanceof NotAdmittedException early && !Failures.isRefusedValue(early.why())
                ? notAdmitted(message, early.why())
                : failed(message, cause(thrown), Failures.classified(failures, cause(thrown)));
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof NotAdmittedException early ? early.why() : thrown;
    }

    // Nobody has looked at the message yet. An error at this point would meet the next one, too.
    private TryResult notAdmitted(InboundMessage message, SQLException why) {
        if (Failures.isBusy(why)) {
            LOG.debug("Message '{}' waits for another transaction", message.id(), why);
        } else {
            gate.shut(why);
        }
        settings.listener.failed(message, why, FailureKind.TRANSIENT);
        return TryResult.notAdmitted(why);
    }

    private TryResult failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        // A failure of a cut connection after a time-out is no news about the database.
        if (!(thrown instanceof HandlerTimeoutException) && Failures.isDatabaseDown(thrown)) {
            gate.shut(thrown);
        } else {
            tell(message, thrown, kind);
        }
        settings.listener.failed(message, thrown, kind);
        return TryResult.failed(thrown, kind);
    }

    private static void tell(InboundMessage message, Throwable thrown, FailureKind kind) {
        try {
            TRACES.warn(LOG, "Message '" + message.id() + "' failed (" + kind + ")", thrown);
        } catch (Throwable e) {
            LOG.warn("Message '{}' failed ({}): {}", message.id(), kind, Failures.brief(thrown));
        }
    }

    private Duration pause(TryResult last, int tries) {
        if (last.verdict() instanceof Verdict.Retry retry) {
            return retry.after();
        }
        return last.thrown() != null && Failures.isCollision(last.thrown())
                ? settings.retries.restAfterCollision(tries)
                : settings.retries.rest(tries);
    }

    private boolean rested(Duration pause, Work work) throws InterruptedException {
        work.begin();
        try {
            return pace.rest().during(pause);
        } catch (InterruptedException e) {
            work.end();
            work.requireLock();
            if (pace.stopping()) {
                throw e;
            }
            return true;
        } finally {
            work.end();
        }
    }
}
