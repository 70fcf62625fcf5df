package dev.waybill.inbox;

import dev.waybill.inbox.ConsumerListener.Outcome;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message from delivery to settlement: transaction, retries in place, then exactly one word to the broker.
 * Thread-safe.
 */
final class MessageTurn {
    private static final Logger LOG = LoggerFactory.getLogger(MessageTurn.class);

    private final InboxTransaction transaction;
    private final RetryPolicy retries;
    private final Rest rest;
    private final ConsumerListener listener;
    private final LongSupplier nanoTime;

    MessageTurn(
            InboxTransaction transaction,
            RetryPolicy retries,
            Rest rest,
            ConsumerListener listener,
            LongSupplier nanoTime) {
        this.transaction = transaction;
        this.retries = retries;
        this.rest = rest;
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    /**
     * Takes one message.
     *
     * @return false if the message was left unsettled and the session must be given up, so that nothing overtakes it
     * @throws SessionLostException if the broker no longer listens to us about this session
     */
    boolean run(MessageSession session, InboundMessage message) throws InterruptedException {
        listener.received(message);
        long startedAt = nanoTime.getAsLong();
        for (int tries = 1; ; tries++) {
            Attempt attempt = attempt(message);
            if (attempt.settles()) {
                settle(session, message, attempt);
                return true;
            }
            Duration pause = attempt.pause(retries.rest(tries));
            boolean timeIsUp = nanoTime.getAsLong() - startedAt + pause.toNanos()
                    > retries.maxInPlace().toNanos();
            if (timeIsUp) {
                return giveUp(session, message, attempt);
            }
            if (!rest.during(pause)) {
                return false;
            }
        }
    }

    private Attempt attempt(InboundMessage message) {
        try {
            return new Attempt(transaction.process(message), null);
        } catch (Exception thrown) {
            LOG.warn("Message '{}' failed and is tried again", message.id(), thrown);
            return new Attempt(null, thrown);
        }
    }

    private void settle(MessageSession session, InboundMessage message, Attempt attempt) {
        if (attempt.verdict() instanceof Verdict.DeadLetter deadLetter) {
            session.deadLetter(message, deadLetter.reason(), deadLetter.description());
            listener.settled(message, Outcome.DEAD_LETTERED);
        } else {
            session.complete(message);
            listener.settled(message, attempt.isDuplicate() ? Outcome.DUPLICATE : Outcome.DONE);
        }
    }

    private boolean giveUp(MessageSession session, InboundMessage message, Attempt attempt) {
        @Nullable Throwable thrown = attempt.thrown();
        if (thrown == null || Failure.of(thrown) == Failure.DATABASE_UNAVAILABLE) {
            LOG.warn("Message '{}' is not done within {}; it is left for later", message.id(), retries.maxInPlace());
            return false;
        }
        session.deadLetter(message, Failure.reason(thrown), Failure.description(thrown));
        listener.settled(message, Outcome.DEAD_LETTERED);
        return true;
    }

    /** Waits between tries. */
    @FunctionalInterface
    interface Rest {
        /** Returns false if the consumer is to stop instead of trying again. */
        boolean during(Duration pause) throws InterruptedException;
    }

    /** One try: a result, or what was thrown. */
    private record Attempt(
            InboxTransaction.@Nullable Result result,
            @Nullable Exception thrown) {
        boolean settles() {
            return result != null && !(result.verdict() instanceof Verdict.Retry);
        }

        boolean isDuplicate() {
            return result != null && result.duplicate();
        }

        @Nullable Verdict verdict() {
            return result == null ? null : result.verdict();
        }

        Duration pause(Duration otherwise) {
            return verdict() instanceof Verdict.Retry retry ? retry.after() : otherwise;
        }
    }
}
