package dev.waybill.relay.send;

import dev.waybill.relay.PublishResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one shipment, awaited as long as the publisher asks from time to time whether it may go on, as it does before each
 * send. Thread-safe.
 */
final class AwaitedAnswer {
    private final CompletableFuture<PublishResult> answer = new CompletableFuture<>();
    private final long longestSilenceNanos;
    private final Supplier<Throwable> silence;
    private final BooleanSupplier goAhead;
    private volatile long heardAtNanos = System.nanoTime();
    private volatile boolean toldToStop;

    /**
     * An answer that has not come.
     *
     * @param longestSilence after which it is not awaited any more
     * @param silence the reason that is then given
     * @param goAhead whether the shipment may go on
     */
    AwaitedAnswer(Duration longestSilence, Supplier<Throwable> silence, BooleanSupplier goAhead) {
        this.longestSilenceNanos = longestSilence.toNanos();
        this.silence = silence;
        this.goAhead = goAhead;
    }

    /** The publisher asks whether it may go on: not if nothing waits for its answer any more. */
    boolean mayContinue() {
        heardAtNanos = System.nanoTime();
        return !answer.isDone() && goesAhead();
    }

    /** Whether the publisher must send all: it was never told to stop, and would not be now. */
    boolean isOfAll() {
        return goesAhead() && !toldToStop;
    }

    private boolean goesAhead() {
        boolean goesOn = goAhead.getAsBoolean();
        if (!goesOn) {
            toldToStop = true;
        }
        return goesOn;
    }

    /** The publisher answers. */
    void complete(@Nullable PublishResult result, @Nullable Throwable failure) {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else {
            answer.complete(result);
        }
    }

    /** Completes with the answer, or exceptionally when there was silence for too long. */
    CompletableFuture<PublishResult> within() {
        listenFor(longestSilenceNanos);
        return answer;
    }

    // The timer ends with the answer: a busy relay would otherwise keep those of its last minutes.
    private void listenFor(long nanos) {
        if (answer.isDone()) {
            return;
        }
        var timer = new CompletableFuture<Boolean>().completeOnTimeout(true, nanos, TimeUnit.NANOSECONDS);
        var unusedEnd = answer.whenComplete((result, thrown) -> timer.complete(false));
        // Nobody else hears of what is thrown on the timer's thread.
        var unusedListening = timer.thenAccept(over -> {
                    if (over) {
                        listenOn();
                    }
                })
                .whenComplete((listened, thrown) -> {
                    if (thrown != null) {
                        answer.completeExceptionally(thrown);
                    }
                });
    }

    private void listenOn() {
        long left = heardAtNanos + longestSilenceNanos - System.nanoTime();
        if (left > 0) {
            listenFor(left);
        } else {
            answer.completeExceptionally(silence.get());
        }
    }
}
