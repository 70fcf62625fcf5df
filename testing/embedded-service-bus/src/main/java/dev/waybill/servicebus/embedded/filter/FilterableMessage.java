package dev.waybill.servicebus.embedded.filter;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a message that a rule sees: its properties, never its body.
 *
 * <p>Values may be any {@link Number}, text, {@link Character}, {@link Boolean}, {@link java.util.UUID},
 * {@link java.time.Instant}, {@link java.time.OffsetDateTime}, {@link java.util.Date}, {@link java.time.Duration}
 * or {@code byte[]}. A value of another type exists but compares with nothing.
 */
public interface FilterableMessage {

    /** The value of a system property, or null when the message does not carry it. */
    @Nullable Object systemProperty(SystemProperty property);

    /**
     * The user properties as the sender spelled them; rules look names up without regard to case, and prefer an
     * exact match.
     */
    Map<String, ? extends @Nullable Object> userProperties();
}
