package dev.waybill.inbox.handle;

import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.HandlerTimeoutException;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.OutsideWorkException;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.transaction.AttemptOutcome;
import dev.waybill.inbox.transaction.DatabaseGate;
import dev.waybill.inbox.transaction.InboxTransaction;
import dev.waybill.inbox.transaction.NotRecordedException;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Retries a message under its lock until it is decided or its time in place is over. Thread-safe. */
public final class InPlaceRetry {
    private static final Logger LOG = LoggerFactory.getLogger(InPlaceRetry.class);
    private static final Traces TRACES = new Traces();

    private final InboxTransaction transaction;
    private final ConsumerSettings settings;
    private final FailureClassifier failures;
    private final DatabaseGate gate;
    private final WorkerClock clock;

    public InPlaceRetry(InboxTransaction transaction, ConsumerSettings settings, DatabaseGate gate, WorkerClock clock) {
        this.transaction = transaction;
        this.settings = settings;
        failures = new FailureClassifier(settings.policies().failures());
        this.gate = gate;
        this.clock = clock;
    }

    // Empty if the consumer stops. Throws LockLostException if the message's lock was lost meanwhile, whatever the
    // outcome.
    public Optional<AttemptOutcome> inPlace(Handling handling, InFlightWork work) throws InterruptedException {
        return inPlace(handling, work, settings.policies().retries().maxInPlace());
    }

    /** Uses a time limit other than the policy's. */
    public Optional<AttemptOutcome> inPlace(Handling handling, InFlightWork work, Duration atMost)
            throws InterruptedException {
        long startedAt = clock.now();
        for (int tries = 1; ; tries++) {
            // After a pause, completions must not wait for the next message's transaction.
            AttemptOutcome last = once(tries == 1 ? handling : handling.alone(), work);
            if (last.thrown() != null && clock.stopping()) {
                // The stop may have caused the failure. Unsettled, the message is tried again elsewhere.
                return Optional.empty();
            }
            if (last.isFinal()) {
                return Optional.of(last);
            }
            Duration pause = pause(last, tries);
            if (clock.since(startedAt).plus(pause).compareTo(atMost) > 0) {
                return Optional.of(last);
            }
            if (!rested(pause, work)) {
                return Optional.empty();
            }
        }
    }

    /** Abandons the transaction that was begun for the next message. */
    void abandonNext(InFlightWork work) {
        transaction.abandonNext(work);
    }

    boolean stopping() {
        return clock.stopping();
    }

    private AttemptOutcome once(Handling handling, InFlightWork work) throws InterruptedException {
        InboundMessage message = handling.message();
        work.begin();
        try {
            AttemptOutcome done = AttemptOutcome.of(transaction.process(handling, work));
            gate.open();
            return done;
        } catch (LockLostException e) {
            throw e;
        } catch (Throwable e) {
            boolean timedOut = work.end();
            work.requireLock();
            if (e instanceof InterruptedException stop && clock.stopping()) {
                throw stop;
            }
            // A retry would repeat the work outside, whatever ended the handler.
            return timedOut && !(e instanceof OutsideWorkException)
                    ? failed(
                            message,
                            new HandlerTimeoutException(settings.times().handlerTimeout(), e),
                            FailureKind.UNKNOWN)
                    : failed(message, e);
        } finally {
            work.end();
        }
    }

    private AttemptOutcome failed(InboundMessage message, Throwable thrown) {
        return thrown instanceof NotRecordedException early && !DatabaseErrors.isRefusedValue(early.why())
                ? notRecorded(message, early.why())
                : failed(message, cause(thrown), failures.classify(cause(thrown)));
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof NotRecordedException early ? early.why() : thrown;
    }

    // No handler ran. The next message would meet this error, too.
    private AttemptOutcome notRecorded(InboundMessage message, SQLException why) {
        if (DatabaseErrors.isBusy(why)) {
            LOG.debug("Message '{}' waits for another transaction", message.id(), why);
        } else {
            gate.shut(why);
        }
        settings.hooks().listener().failed(message, why, FailureKind.TRANSIENT);
        return AttemptOutcome.notRecorded(why);
    }

    private AttemptOutcome failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        // After a timeout, the failure of the cut connection says nothing about the database.
        if (!(thrown instanceof HandlerTimeoutException) && DatabaseErrors.isDatabaseDown(thrown)) {
            gate.shut(thrown);
        } else {
            log(message, thrown, kind);
        }
        settings.hooks().listener().failed(message, thrown, kind);
        return AttemptOutcome.failed(thrown, kind);
    }

    private void log(InboundMessage message, Throwable thrown, FailureKind kind) {
        try {
            String next = kind == FailureKind.UNKNOWN
                    ? ", retried for up to " + settings.policies().retries().maxInPlace()
                            + " unless a FailurePolicy says PERMANENT"
                    : "";
            TRACES.warn(LOG, "Message '" + message.id() + "' failed (" + kind + next + ")", thrown);
        } catch (Throwable e) {
            LOG.warn("Message '{}' failed ({}): {}", message.id(), kind, FailureText.brief(thrown));
        }
    }

    private Duration pause(AttemptOutcome last, int tries) {
        if (last.verdict() instanceof Verdict.Retry retry) {
            return retry.after();
        }
        return last.thrown() != null && DatabaseErrors.isCollision(last.thrown())
                ? settings.policies().retries().restAfterCollision(tries)
                : settings.policies().retries().rest(tries);
    }

    private boolean rested(Duration pause, InFlightWork work) throws InterruptedException {
        work.begin();
        try {
            return clock.sleep().during(pause);
        } catch (InterruptedException e) {
            work.end();
            work.requireLock();
            if (clock.stopping()) {
                throw e;
            }
            return true;
        } finally {
            work.end();
        }
    }
}
