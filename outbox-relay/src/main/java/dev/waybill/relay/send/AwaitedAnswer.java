package dev.waybill.relay.send;

import dev.waybill.relay.PublishResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of a shipment. Times out if the publisher neither completes nor asks whether it may continue. Thread-safe. */
final class AwaitedAnswer {
    private final CompletableFuture<PublishResult> answer = new CompletableFuture<>();
    private final long longestSilenceNanos;
    private final Supplier<Throwable> silence;
    private final BooleanSupplier goAhead;
    private volatile long heardAtNanos = System.nanoTime();
    private volatile boolean toldToStop;

    /**
     * @param longestSilence the timeout, restarted with each {@link #mayContinue}
     * @param silence the failure after a timeout
     * @param goAhead whether the shipment may continue
     */
    AwaitedAnswer(Duration longestSilence, Supplier<Throwable> silence, BooleanSupplier goAhead) {
        this.longestSilenceNanos = longestSilence.toNanos();
        this.silence = silence;
        this.goAhead = goAhead;
    }

    /** The publisher asks whether it may continue; false after a timeout. */
    boolean mayContinue() {
        heardAtNanos = System.nanoTime();
        return !answer.isDone() && goesAhead();
    }

    /** Whether the publisher must send all rows, because it was never stopped. */
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

    void complete(@Nullable PublishResult result, @Nullable Throwable failure) {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else {
            answer.complete(result);
        }
    }

    CompletableFuture<PublishResult> within() {
        listenFor(longestSilenceNanos);
        return answer;
    }

    // The timer ends with the result, or a busy relay would keep minutes of timers.
    private void listenFor(long nanos) {
        if (answer.isDone()) {
            return;
        }
        var timer = new CompletableFuture<Boolean>().completeOnTimeout(true, nanos, TimeUnit.NANOSECONDS);
        var unusedEnd = answer.whenComplete((result, thrown) -> timer.complete(false));
        // No other code sees exceptions of the timer's thread.
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
