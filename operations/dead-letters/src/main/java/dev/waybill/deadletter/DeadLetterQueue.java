package dev.waybill.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of one entity on the broker, under peek-lock. Received by one thread at a time; completions may come from
 * any.
 */
public interface DeadLetterQueue extends AutoCloseable {
    /** The entity that these are the dead letters of. */
    DeadLetterEntity entity();

    /**
     * Waits for the first, and takes along what has come with it.
     *
     * @throws RuntimeException if the broker cannot be reached or refuses; {@link #renew} then starts anew
     */
    List<ReceivedDeadLetter> receive(int most, Duration atMost) throws InterruptedException;

    /** Removes one from the broker. If that fails it comes again when its lock has run out. */
    CompletionStage<@Nullable Void> complete(ReceivedDeadLetter arrival);

    /**
     * Looks at what is there without locking it.
     *
     * @param most how many to count
     */
    Depth peek(int most);

    /** Gives up the connection; the next call opens another. */
    void renew();

    @Override
    void close();

    /**
     * The messages in a dead-letter queue on the broker.
     *
     * @param count how many; not more than were asked for
     * @param oldest when the oldest of them was enqueued in its entity; null if there are none. The broker does not say since
     *     when a message is dead
     */
    public record Depth(int count, @Nullable Instant oldest) {}
}
