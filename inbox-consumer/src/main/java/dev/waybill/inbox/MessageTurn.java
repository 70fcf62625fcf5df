package dev.waybill.inbox;

import dev.waybill.inbox.ConsumerListener.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message from delivery to settlement: tries in place, then exactly one word to the broker. Thread-safe.
 */
final class MessageTurn {
    private static final Logger LOG = LoggerFactory.getLogger(MessageTurn.class);

    private final Attempts attempts;
    private final RetryPolicy retries;
    private final Disposal disposal;
    private final Starts starts;
    private final Pace pace;
    private final ConsumerListener listener;

    MessageTurn(
            Attempts attempts,
            RetryPolicy retries,
            Disposal disposal,
            Starts starts,
            Pace pace,
            ConsumerListener listener) {
        this.attempts = attempts;
        this.retries = retries;
        this.disposal = disposal;
        this.starts = starts;
        this.pace = pace;
        this.listener = listener;
    }

    /**
     * Takes one message.
     *
     * @return false if the message was left unsettled and the receiver must be given up, so that nothing overtakes it
     * @throws LockLostException if the broker no longer listens to us about this message
     */
    boolean run(Receiver receiver, InboundMessage message, Work work) throws InterruptedException {
        listener.received(message);
        work.received(message);
        try {
            return message.deliveryCount() > 1
                    ? handleSuspect(receiver, message, work)
                    : handle(receiver, message, work);
        } catch (LockLostException e) {
            listener.lockLost(message);
            throw e;
        } finally {
            work.settled();
        }
    }

    private boolean handleSuspect(Receiver receiver, InboundMessage message, Work work) throws InterruptedException {
        int begun = begun(message);
        try {
            return begun > starts.most()
                    ? disposal.failed(
                            receiver,
                            message,
                            "ProcessStopped",
                            "Handling has begun " + (begun - 1) + " times and never come to an end")
                    : handle(receiver, message, work);
        } finally {
            starts.end(message);
        }
    }

    private int begun(InboundMessage message) {
        try {
            return starts.begin(message);
        } catch (SQLException e) {
            LOG.warn("The start of message '{}' could not be recorded", message.id(), e);
            return 0;
        }
    }

    private boolean handle(Receiver receiver, InboundMessage message, Work work) throws InterruptedException {
        long startedAt = pace.now();
        for (int tries = 1; ; tries++) {
            Attempt attempt = attempts.run(message, work);
            if (attempt.isDone()) {
                return complete(receiver, message, attempt);
            }
            if (attempt.verdict() instanceof Verdict.DeadLetter dead) {
                return disposal.failed(receiver, message, dead.reason(), dead.description());
            }
            if (attempt.kind() == FailureKind.PERMANENT) {
                return disposal.failed(receiver, message, reason(attempt), description(attempt));
            }
            Duration pause = pause(attempt, tries);
            if (pace.since(startedAt).plus(pause).compareTo(retries.maxInPlace()) > 0) {
                return outOfTime(receiver, message, attempt);
            }
            if (!rested(pause, work)) {
                return disposal.stopped(receiver, message);
            }
        }
    }

    private boolean complete(Receiver receiver, InboundMessage message, Attempt attempt) {
        receiver.complete(message);
        listener.settled(message, attempt.isDuplicate() ? Outcome.DUPLICATE : Outcome.DONE);
        return true;
    }

    private Duration pause(Attempt attempt, int tries) {
        if (attempt.verdict() instanceof Verdict.Retry retry) {
            return retry.after();
        }
        return attempt.thrown() != null && Failures.isCollision(attempt.thrown())
                ? retries.restAfterCollision(tries)
                : retries.rest(tries);
    }

    private boolean rested(Duration pause, Work work) throws InterruptedException {
        work.beginRest();
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

    private boolean outOfTime(Receiver receiver, InboundMessage message, Attempt attempt) {
        if (attempt.kind() == FailureKind.UNKNOWN) {
            return disposal.exhausted(receiver, message, reason(attempt), description(attempt));
        }
        try {
            return disposal.postponed(receiver, message, reason(attempt), description(attempt));
        } catch (SQLException e) {
            LOG.warn("Message '{}' is left until the database answers again", message.id(), e);
            return false;
        }
    }

    private static String reason(Attempt attempt) {
        return attempt.thrown() == null ? "RetriesExhausted" : Failures.reason(attempt.thrown());
    }

    private static String description(Attempt attempt) {
        return attempt.thrown() == null
                ? "The handler still asked for another try: " + attempt.verdict()
                : Failures.description(Objects.requireNonNull(attempt.thrown()));
    }
}
