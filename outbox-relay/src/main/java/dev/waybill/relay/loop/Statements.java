package dev.waybill.relay.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the loop's reads and settles, one at a time, on another thread, while the loop sends. Hands results over on the loop's
 * thread; with a same-thread executor, before {@link #run} returns. Confined to the loop's thread.
 */
final class Statements {
    private final Executor executor;
    private final BooleanSupplier isIdle;
    private final Runnable onEnd;
    private @Nullable Running<?> running;
    private long answers;

    /** {@code isIdle} says whether no send is in flight; {@code onEnd} runs on the executor's thread. */
    Statements(Executor executor, BooleanSupplier isIdle, Runnable onEnd) {
        this.executor = executor;
        this.isIdle = isIdle;
        this.onEnd = onEnd;
    }

    boolean isRunning() {
        return running != null;
    }

    /** How many statements have succeeded. */
    long answers() {
        return answers;
    }

    /** Runs a statement; none must be running. If the loop is idle, runs it on the loop's thread, which is cheaper. */
    <T> void run(Supplier<T> statement, Consumer<T> then) {
        Executor chosen = isIdle.getAsBoolean() ? Runnable::run : executor;
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(statement, chosen);
        running = new Running<>(answer, then);
        if (!answer.isDone()) {
            var unused = answer.whenComplete((value, failure) -> onEnd.run());
        }
        take();
    }

    /** Hands over a result, or throws the statement's exception. */
    void take() {
        Running<?> ended = running;
        if (ended != null && ended.answer().isDone()) {
            running = null;
            ended.handOver();
            answers++;
        }
    }

    /** Waits for the running statement, which the database's timeouts limit, and hands its result over. */
    void await() {
        if (running != null) {
            running.answer().handle((value, failure) -> true).join();
            take();
        }
    }

    private record Running<T>(CompletableFuture<T> answer, Consumer<T> then) {
        void handOver() {
            then.accept(value());
        }

        private T value() {
            try {
                return answer.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }
}
