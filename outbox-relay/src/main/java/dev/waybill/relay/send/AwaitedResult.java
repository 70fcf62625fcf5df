package dev.waybill.relay.send;

import dev.waybill.relay.PublishResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of a shipment. Times out if the publisher neither completes nor asks whether it may continue. Thread-safe. */
final class AwaitedResult {
    private final CompletableFuture<PublishResult> result = new CompletableFuture<>();
    private final long timeoutNanos;
    private final Supplier<Throwable> timeoutFailure;
    private final BooleanSupplier mayGoOn;
    private volatile long activeAtNanos = System.nanoTime();
    private volatile boolean stopped;

    /** Each {@link #mayContinue} restarts the timeout. */
    AwaitedResult(Duration timeout, Supplier<Throwable> timeoutFailure, BooleanSupplier mayGoOn) {
        this.timeoutNanos = timeout.toNanos();
        this.timeoutFailure = timeoutFailure;
        this.mayGoOn = mayGoOn;
    }

    /** The publisher asks whether it may continue; false after a timeout. */
    boolean mayContinue() {
        activeAtNanos = System.nanoTime();
        return !result.isDone() && mayGoOn();
    }

    /** Whether the publisher must send all rows, because it was never stopped. */
    boolean wasNeverStopped() {
        return mayGoOn() && !stopped;
    }

    private boolean mayGoOn() {
        boolean goesOn = mayGoOn.getAsBoolean();
        if (!goesOn) {
            stopped = true;
        }
        return goesOn;
    }

    void complete(@Nullable PublishResult completed, @Nullable Throwable failure) {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else {
            result.complete(completed);
        }
    }

    CompletableFuture<PublishResult> within() {
        startTimer(timeoutNanos);
        return result;
    }

    // The timer ends with the result, or a busy relay would keep minutes of timers.
    private void startTimer(long nanos) {
        if (result.isDone()) {
            return;
        }
        var timer = new CompletableFuture<Boolean>().completeOnTimeout(true, nanos, TimeUnit.NANOSECONDS);
        var unusedEnd = result.whenComplete((completed, thrown) -> timer.complete(false));
        // No other code sees exceptions of the timer's thread.
        var unusedCheck = timer.thenAccept(over -> {
                    if (over) {
                        checkTimeout();
                    }
                })
                .whenComplete((checked, thrown) -> {
                    if (thrown != null) {
                        result.completeExceptionally(thrown);
                    }
                });
    }

    private void checkTimeout() {
        long left = activeAtNanos + timeoutNanos - System.nanoTime();
        if (left > 0) {
            startTimer(left);
        } else {
            result.completeExceptionally(timeoutFailure.get());
        }
    }
}
