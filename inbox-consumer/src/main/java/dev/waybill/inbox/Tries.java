package dev.waybill.inbox;

import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries a message, under watch, until it is decided or the time in place is over. Thread-safe. */
final class Tries {
    private static final Logger LOG = LoggerFactory.getLogger(Tries.class);

    private final InboxTransaction transaction;
    private final ConsumerSettings settings;
    private final FailurePolicy failures;
    private final DatabaseGate gate;
    private final Pace pace;

    Tries(InboxTransaction transaction, ConsumerSettings settings, DatabaseGate gate, Pace pace) {
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
    Optional<Try> inPlace(InboundMessage message, Work work, Terms terms) throws InterruptedException {
        long startedAt = pace.now();
        for (int tries = 1; ; tries++) {
            Try last = once(message, work, terms);
            if (last.isFinal()) {
                return Optional.of(last);
            }
            Duration pause = pause(last, tries);
            if (pace.since(startedAt).plus(pause).compareTo(settings.retries.maxInPlace()) > 0) {
                return Optional.of(last);
            }
            if (!rested(pause, work)) {
                return Optional.empty();
            }
        }
    }

    private Try once(InboundMessage message, Work work, Terms terms) throws InterruptedException {
        work.begin();
        try {
            Try done = Try.of(transaction.process(message, work, terms));
            gate.open();
            return done;
        } catch (LockLostException e) {
            throw e;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            boolean timedOut = work.end();
            work.requireLock();
            if (e instanceof InterruptedException interrupted && !timedOut) {
                throw interrupted;
            }
            return timedOut
                    ? failed(message, new HandlerTimeoutException(settings.handlerTimeout, e), FailureKind.UNKNOWN)
                    : failed(message, e, failures.classify(e).orElse(FailureKind.UNKNOWN));
        } finally {
            work.end();
        }
    }

    private Try failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        // What a cut connection says after a time-out is no news about the database.
        if (!(thrown instanceof HandlerTimeoutException) && Failures.isDatabaseDown(thrown)) {
            gate.shut(thrown);
        } else {
            LOG.warn("Message '{}' failed ({})", message.id(), kind, thrown);
        }
        settings.listener.failed(message, thrown, kind);
        return Try.failed(thrown, kind);
    }

    private Duration pause(Try last, int tries) {
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
            throw e;
        } finally {
            work.end();
        }
    }
}
