package dev.waybill.servicebus.embedded.filter;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rule sees of a message: its properties, never its body.
 *
 * <p>Values may be any {@link Number}, text, {@link Character}, {@link Boolean}, {@link java.util.UUID}, {@link java.time.Instant},
 * {@link java.time.OffsetDateTime}, {@link java.util.Date}, {@link java.time.Duration} or {@code byte[]}. A value of another type
 * exists but compares with nothing.
 */
public interface FilterableMessage {

    /** Null if absent. */
    @Nullable Object systemProperty(SystemProperty property);

    /** The user properties in the sender's spelling. Rules ignore case but prefer an exact match. */
    Map<String, ? extends @Nullable Object> userProperties();
}
