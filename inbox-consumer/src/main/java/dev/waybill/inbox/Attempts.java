package dev.waybill.inbox;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries a message once: runs its transaction under watch and says what the outcome means. Thread-safe. */
final class Attempts {
    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    private final InboxTransaction transaction;
    private final FailurePolicy failures;
    private final DatabaseGate gate;
    private final ConsumerListener listener;
    private final Duration handlerTimeout;

    Attempts(
            InboxTransaction transaction,
            FailurePolicy failures,
            DatabaseGate gate,
            ConsumerListener listener,
            Duration handlerTimeout) {
        this.transaction = transaction;
        this.failures = failures.or(FailurePolicy.STANDARD);
        this.gate = gate;
        this.listener = listener;
        this.handlerTimeout = handlerTimeout;
    }

    /** @throws LockLostException if the message's lock was lost meanwhile, whatever came of the try */
    Attempt run(InboundMessage message, Work work) throws InterruptedException {
        work.begin();
        try {
            Attempt attempt = Attempt.of(transaction.process(message, work));
            gate.open();
            return attempt;
        } catch (LockLostException e) {
            throw e;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            boolean timedOut = work.end();
            work.requireLock();
            if (e instanceof InterruptedException interrupted && !timedOut) {
                throw interrupted;
            }
            return failed(message, timedOut ? new HandlerTimeoutException(handlerTimeout, e) : e, timedOut);
        } finally {
            work.end();
        }
    }

    private Attempt failed(InboundMessage message, Throwable thrown, boolean timedOut) {
        // What the cut connection says after a time-out is no news about the database.
        FailureKind kind = timedOut ? FailureKind.UNKNOWN : classify(thrown);
        if (!timedOut && Failures.isDatabaseDown(thrown)) {
            gate.shut(thrown);
        } else {
            LOG.warn("Message '{}' failed ({})", message.id(), kind, thrown);
        }
        listener.failed(message, thrown, kind);
        return Attempt.failed(thrown, kind);
    }

    private FailureKind classify(Throwable thrown) {
        return failures.classify(thrown).orElse(FailureKind.UNKNOWN);
    }
}
