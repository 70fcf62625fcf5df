package dev.waybill.servicebus.embedded.filter;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Properties with the scope {@code sys}, for example {@code sys.Label}. Settable ones can be changed by actions. */
public enum SystemProperty {
    CONTENT_TYPE("ContentType", Access.SETTABLE, String.class),
    CORRELATION_ID("CorrelationId", Access.SETTABLE, String.class),
    /** The entity whose dead letter this message was. */
    DEAD_LETTER_SOURCE("DeadLetterSource", Access.READ_ONLY, String.class),
    DELIVERY_COUNT("DeliveryCount", Access.READ_ONLY, Long.class),
    ENQUEUED_SEQUENCE_NUMBER("EnqueuedSequenceNumber", Access.READ_ONLY, Long.class),
    /** Also {@code EnqueuedTime}. */
    ENQUEUED_TIME("EnqueuedTimeUtc", Access.READ_ONLY, Instant.class, "EnqueuedTime"),
    /** Also {@code ExpiresAt}. */
    EXPIRES_AT("ExpiresAtUtc", Access.READ_ONLY, Instant.class, "ExpiresAt"),
    /** Also {@code Subject}. */
    LABEL("Label", Access.SETTABLE, String.class, "Subject"),
    /** Also {@code LockedUntil}. */
    LOCKED_UNTIL("LockedUntilUtc", Access.READ_ONLY, Instant.class, "LockedUntil"),
    LOCK_TOKEN("LockToken", Access.READ_ONLY, java.util.UUID.class),
    MESSAGE_ID("MessageId", Access.SETTABLE, String.class),
    PARTITION_KEY("PartitionKey", Access.SETTABLE, String.class),
    REPLY_TO("ReplyTo", Access.SETTABLE, String.class),
    REPLY_TO_SESSION_ID("ReplyToSessionId", Access.SETTABLE, String.class),
    /** Also {@code ScheduledEnqueueTime}. */
    SCHEDULED_ENQUEUE_TIME("ScheduledEnqueueTimeUtc", Access.SETTABLE, Instant.class, "ScheduledEnqueueTime"),
    SEQUENCE_NUMBER("SequenceNumber", Access.READ_ONLY, Long.class),
    SESSION_ID("SessionId", Access.SETTABLE, String.class),
    /** In bytes. */
    SIZE("Size", Access.READ_ONLY, Long.class),
    /** 0 active, 1 deferred, 2 scheduled. */
    STATE("State", Access.READ_ONLY, Long.class),
    TIME_TO_LIVE("TimeToLive", Access.SETTABLE, Duration.class),
    TO("To", Access.SETTABLE, String.class),
    /** Also {@code TransactionPartitionKey}. */
    VIA_PARTITION_KEY("ViaPartitionKey", Access.SETTABLE, String.class, "TransactionPartitionKey");

    private enum Access {
        READ_ONLY,
        SETTABLE
    }

    private static final Map<String, SystemProperty> BY_NAME = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static {
        for (SystemProperty property : values()) {
            BY_NAME.put(property.propertyName, property);
            if (property.alias != null) {
                BY_NAME.put(property.alias, property);
            }
        }
    }

    private final String propertyName;
    private final @Nullable String alias;
    private final Access access;
    private final Class<?> type;

    SystemProperty(String propertyName, Access access, Class<?> type) {
        this(propertyName, access, type, null);
    }

    SystemProperty(String propertyName, Access access, Class<?> type, @Nullable String alias) {
        this.propertyName = propertyName;
        this.access = access;
        this.type = type;
        this.alias = alias;
    }

    /** The name after {@code sys.}, for example {@code EnqueuedTimeUtc}. */
    public String propertyName() {
        return propertyName;
    }

    /** Whether an action may set or remove the property. */
    public boolean isSettable() {
        return access == Access.SETTABLE;
    }

    static @Nullable SystemProperty named(String name) {
        return BY_NAME.get(name);
    }

    @Nullable Object accept(@Nullable Object value) {
        if (value == null || type.isInstance(value)) {
            return value;
        }
        if (type == String.class && Scalar.hasText(value)) {
            return Scalar.text(value);
        }
        throw new FilterEvaluationException("sys." + propertyName + " cannot be set to " + Scalar.typeName(value));
    }
}
