package dev.waybill.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The messages in a dead-letter queue on the broker.
 *
 * @param count how many; not more than were asked for
 * @param oldest when the oldest of them was enqueued in its entity; null if there are none. The broker does not say since
 *     when a message is dead
 */
public record QueueDepth(int count, @Nullable Instant oldest) {}
