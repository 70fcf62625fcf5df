package dev.waybill.relay;

import static dev.waybill.migrations.jooq.Tables.OUTBOX_MESSAGE;

import dev.waybill.outbox.Headers;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** One committed message as the table holds it. Immutable as long as nobody writes to {@link #payload()}. */
public final class OutboxRow {
    static final List<Field<?>> COLUMNS = List.of(
            OUTBOX_MESSAGE.SEQ,
            OUTBOX_MESSAGE.DESTINATION,
            OUTBOX_MESSAGE.BUCKET,
            OUTBOX_MESSAGE.SESSION_ID,
            OUTBOX_MESSAGE.MESSAGE_ID,
            OUTBOX_MESSAGE.BROKER_MESSAGE_ID,
            OUTBOX_MESSAGE.PARTITION_KEY,
            OUTBOX_MESSAGE.SUBJECT,
            OUTBOX_MESSAGE.CONTENT_TYPE,
            OUTBOX_MESSAGE.CORRELATION_ID,
            OUTBOX_MESSAGE.TO_ADDRESS,
            OUTBOX_MESSAGE.REPLY_TO,
            OUTBOX_MESSAGE.REPLY_TO_SESSION_ID,
            OUTBOX_MESSAGE.TIME_TO_LIVE,
            OUTBOX_MESSAGE.SCHEDULED_ENQUEUE_TIME,
            OUTBOX_MESSAGE.HEADERS,
            OUTBOX_MESSAGE.PAYLOAD);

    private final Record columns;

    OutboxRow(Record columns) {
        this.columns = columns;
    }

    /** Place in the order of its session. */
    public long seq() {
        return columns.get(OUTBOX_MESSAGE.SEQ);
    }

    Lane lane() {
        return new Lane(columns.get(OUTBOX_MESSAGE.DESTINATION), columns.get(OUTBOX_MESSAGE.BUCKET));
    }

    /** The logical id. */
    public String messageId() {
        return columns.get(OUTBOX_MESSAGE.MESSAGE_ID);
    }

    /** The MessageId on the broker: the logical id, unless a re-drive gave another. */
    public String brokerMessageId() {
        @Nullable String given = columns.get(OUTBOX_MESSAGE.BROKER_MESSAGE_ID);
        return given != null ? given : messageId();
    }

    /** The ordering boundary. */
    public @Nullable String sessionId() {
        return columns.get(OUTBOX_MESSAGE.SESSION_ID);
    }

    /** The broker's PartitionKey. */
    public @Nullable String partitionKey() {
        return columns.get(OUTBOX_MESSAGE.PARTITION_KEY);
    }

    /** The broker's Subject. */
    public @Nullable String subject() {
        return columns.get(OUTBOX_MESSAGE.SUBJECT);
    }

    /** Media type of the payload. */
    public @Nullable String contentType() {
        return columns.get(OUTBOX_MESSAGE.CONTENT_TYPE);
    }

    /** The broker's CorrelationId. */
    public @Nullable String correlationId() {
        return columns.get(OUTBOX_MESSAGE.CORRELATION_ID);
    }

    /** The broker's To. */
    public @Nullable String toAddress() {
        return columns.get(OUTBOX_MESSAGE.TO_ADDRESS);
    }

    /** The broker's ReplyTo. */
    public @Nullable String replyTo() {
        return columns.get(OUTBOX_MESSAGE.REPLY_TO);
    }

    /** The broker's ReplyToSessionId. */
    public @Nullable String replyToSessionId() {
        return columns.get(OUTBOX_MESSAGE.REPLY_TO_SESSION_ID);
    }

    /** How long the broker keeps the message. */
    public @Nullable Duration timeToLive() {
        @Nullable Long millis = columns.get(OUTBOX_MESSAGE.TIME_TO_LIVE);
        return millis == null ? null : Duration.ofMillis(millis);
    }

    /** Until when the broker holds the message back. */
    public @Nullable OffsetDateTime scheduledEnqueueTime() {
        return columns.get(OUTBOX_MESSAGE.SCHEDULED_ENQUEUE_TIME);
    }

    /**
     * Application properties with their types.
     *
     * @throws IllegalArgumentException if a writer other than {@code Outbox} stored what is not of its form
     */
    public Map<String, Object> headers() {
        @Nullable JSONB json = columns.get(OUTBOX_MESSAGE.HEADERS);
        return json == null ? Map.of() : Headers.read(json.data());
    }

    /** The body; not a copy. */
    public byte[] payload() {
        return columns.get(OUTBOX_MESSAGE.PAYLOAD);
    }

    @Override
    public String toString() {
        return "row " + seq() + " (message '" + messageId() + "')";
    }
}
