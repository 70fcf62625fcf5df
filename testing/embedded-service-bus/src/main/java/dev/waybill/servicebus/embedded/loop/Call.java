package dev.waybill.servicebus.embedded.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A task from another thread, which waits for its result. */
final class Call<T extends @Nullable Object> implements Runnable {
    private final Supplier<T> task;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Call(Supplier<T> task) {
        this.task = task;
    }

    @Override
    public void run() {
        try {
            result.complete(task.get());
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    void refuse() {
        result.completeExceptionally(new IllegalStateException("The broker is closed"));
    }

    T await() {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
