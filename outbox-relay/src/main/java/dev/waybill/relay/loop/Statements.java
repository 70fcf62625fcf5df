package dev.waybill.relay.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop's reads and settles, one at a time, beside its thread: meanwhile messages are sent and come back. What a statement
 * returns is handed over in the loop's thread. With an executor that runs at once, it is handed over before {@link #run} returns.
 * Confined to the loop's thread.
 */
final class Statements {
    private final Executor executor;
    private final BooleanSupplier isIdle;
    private final Runnable onEnd;
    private @Nullable Running<?> running;
    private long answers;

    /**
     * None is running.
     *
     * @param isIdle whether nothing is under way but what may be begun
     * @param onEnd told on the executor's thread that a statement has ended
     */
    Statements(Executor executor, BooleanSupplier isIdle, Runnable onEnd) {
        this.executor = executor;
        this.isIdle = isIdle;
        this.onEnd = onEnd;
    }

    boolean isRunning() {
        return running != null;
    }

    /** How many statements have not failed. */
    long answers() {
        return answers;
    }

    /** Begins a statement; none must be running. With nothing to do meanwhile the loop waits for it: a change of threads costs more. */
    <T> void run(Supplier<T> statement, Consumer<T> then) {
        Executor chosen = isIdle.getAsBoolean() ? Runnable::run : executor;
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(statement, chosen);
        running = new Running<>(answer, then);
        if (!answer.isDone()) {
            var unused = answer.whenComplete((value, failure) -> onEnd.run());
        }
        take();
    }

    /** Hands over what has come back; throws what the statement has thrown. */
    void take() {
        Running<?> ended = running;
        if (ended != null && ended.answer().isDone()) {
            running = null;
            ended.handOver();
            answers++;
        }
    }

    /** Waits for the statement under way, which the database's time-outs end, and hands it over. */
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
