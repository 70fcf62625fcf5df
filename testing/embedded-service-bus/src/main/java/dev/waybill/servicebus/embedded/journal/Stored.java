package dev.waybill.servicebus.embedded.journal;

import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A stored message. Immutable. */
public final class Stored {
    private final long sequenceNumber;
    private final @Nullable String messageId;
    private final @Nullable String sessionId;
    private final long enqueuedMillis;
    private final Supplier<Map<String, Object>> properties;

    /** For the broker. The properties are decoded on demand. */
    public Stored(
            long sequenceNumber,
            @Nullable String messageId,
            @Nullable String sessionId,
            long enqueuedMillis,
            Supplier<Map<String, Object>> properties) {
        this.sequenceNumber = sequenceNumber;
        this.messageId = messageId;
        this.sessionId = sessionId;
        this.enqueuedMillis = enqueuedMillis;
        this.properties = properties;
    }

    /** The number in the entity, increasing in order of storage. */
    public long sequenceNumber() {
        return sequenceNumber;
    }

    public @Nullable String messageId() {
        return messageId;
    }

    public @Nullable String sessionId() {
        return sessionId;
    }

    /** Wall time of storage, in milliseconds. */
    public Instant enqueuedTime() {
        return Instant.ofEpochMilli(enqueuedMillis);
    }

    public Map<String, Object> applicationProperties() {
        return properties.get();
    }

    @Override
    public String toString() {
        return "Stored[" + sequenceNumber + ", id=" + messageId + ", session=" + sessionId + "]";
    }
}
