package dev.waybill.standalone.console.access;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits concurrent requests to the OpenID provider. An address with rejected codes gets its own queue with one request at a
 * time. So forged codes delay their address, but do not lock out others behind the same ingress. Thread-safe.
 */
final class ProviderQueue {
    private static final Logger LOG = LoggerFactory.getLogger("dev.waybill.standalone.console");
    private static final int AT_A_TIME = 4;
    private static final int MOST_WAITING = 6;
    private static final long PATIENCE_SECONDS = 3;

    private final Semaphore all = new Semaphore(AT_A_TIME, true);
    private final Semaphore suspected = new Semaphore(1, true);
    private final SignInLimits refused;

    ProviderQueue(LongSupplier nanos) {
        refused = SignInLimits.ofAddresses(nanos);
    }

    @FunctionalInterface
    interface Question<T> {
        T ask() throws IOException;
    }

    /**
     * Sends a request after waiting in the queue.
     *
     * @throws Refusal on a time-out or an invalid answer
     */
    <T> T ask(String address, Question<T> question) {
        return refused.rest(address).isZero() ? in(all, question) : in(suspected, () -> in(all, question));
    }

    // A hanging provider occupies at most these threads.
    private static <T> T in(Semaphore line, Question<T> question) {
        if (!hasTurn(line)) {
            throw new Refusal(503, "Too many sign-ins are running. Try again.");
        }
        try {
            return question.ask();
        } catch (IOException e) {
            LOG.warn("The OpenID provider failed: {}", e.toString());
            throw new Refusal(503, "The sign-in provider failed. The log has the reason.");
        } finally {
            line.release();
        }
    }

    private static boolean hasTurn(Semaphore line) {
        try {
            return line.getQueueLength() < MOST_WAITING && line.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Counts a rejected code; logs a limited number. */
    void refused(String address) {
        if (refused.rest(address).isZero()) {
            LOG.warn("Console sign-in by OpenID Connect failed, from {}", address);
        }
        refused.failed(address);
    }
}
