package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.filter.FilterableMessage;
import dev.waybill.servicebus.embedded.filter.SystemProperty;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.message.Timestamps;
import dev.waybill.servicebus.embedded.message.UserValues;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.jspecify.annotations.Nullable;

final class RuleView implements FilterableMessage {
    private static final Symbol PARTITION_KEY = Symbol.valueOf("x-opt-partition-key");
    private static final Symbol VIA_PARTITION_KEY = Symbol.valueOf("x-opt-via-partition-key");
    private static final Symbol SCHEDULED_FOR = Symbol.valueOf("x-opt-scheduled-enqueue-time");

    private final Entry entry;
    private final Properties properties;
    private final Map<String, Object> userProperties = new HashMap<>();

    RuleView(Entry entry) {
        this.entry = entry;
        Properties given = entry.message().properties();
        this.properties = given == null ? new Properties() : given;
        entry.applicationProperties().forEach((name, value) -> userProperties.put(name, UserValues.plain(value)));
    }

    @Override
    public Map<String, ? extends @Nullable Object> userProperties() {
        return userProperties;
    }

    @Override
    public @Nullable Object systemProperty(SystemProperty property) {
        return switch (property) {
            case CONTENT_TYPE -> text(properties.getContentType());
            case CORRELATION_ID -> text(properties.getCorrelationId());
            case LABEL -> properties.getSubject();
            case MESSAGE_ID -> entry.messageId();
            case PARTITION_KEY -> text(entry.message().annotation(PARTITION_KEY));
            case VIA_PARTITION_KEY -> text(entry.message().annotation(VIA_PARTITION_KEY));
            case REPLY_TO -> properties.getReplyTo();
            case REPLY_TO_SESSION_ID -> properties.getReplyToGroupId();
            case SESSION_ID -> entry.sessionId();
            case TO -> properties.getTo();
            case TIME_TO_LIVE -> duration(entry.message().timeToLiveMillis());
            case SCHEDULED_ENQUEUE_TIME ->
                instant(Timestamps.millis(entry.message().annotation(SCHEDULED_FOR)));
            case ENQUEUED_TIME -> instant(entry.enqueuedMillis());
            case SEQUENCE_NUMBER, ENQUEUED_SEQUENCE_NUMBER -> entry.sequenceNumber();
            case DELIVERY_COUNT -> (long) entry.deliveryCount;
            case SIZE -> (long) entry.size();
            case STATE -> 0L;
            case EXPIRES_AT, DEAD_LETTER_SOURCE, LOCKED_UNTIL, LOCK_TOKEN -> null;
        };
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static @Nullable Duration duration(@Nullable Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}
