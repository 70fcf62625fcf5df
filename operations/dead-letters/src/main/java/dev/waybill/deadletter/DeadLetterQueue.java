package dev.waybill.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The dead-letter queue of one entity on the broker, under peek-lock. One thread receives; any thread completes. */
public interface DeadLetterQueue extends AutoCloseable {
    DeadLetterEntity entity();

    /** Waits for the first letter and returns it with others that are there. If this throws, {@link #renew} reconnects. */
    List<ReceivedDeadLetter> receive(int most, Duration atMost) throws InterruptedException;

    /** Removes a letter from the broker. If that fails, the broker delivers it again when its lock expires. */
    CompletionStage<@Nullable Void> complete(ReceivedDeadLetter letter);

    /** Counts letters without locking them, up to a number. */
    Depth peek(int most);

    /** Closes the connection; the next call opens another. */
    void renew();

    @Override
    void close();

    /** How many letters were counted, and when the oldest was enqueued in its entity; null if there is none. */
    record Depth(int count, @Nullable Instant oldest) {}
}
