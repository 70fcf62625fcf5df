package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;

import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.MessageContent;
import dev.waybill.outbox.Headers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** One committed message as the table or a hold has it. Immutable as long as nobody writes to {@link #payload()}. */
public final class OutboxRow {
    static final List<Field<?>> COLUMNS = List.of(
            OUTBOX_MESSAGE.SEQ,
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

    private final long seq;
    private final @Nullable String sessionId;
    private final String messageId;
    private final @Nullable String brokerMessageId;
    private final @Nullable String partitionKey;
    private final @Nullable String subject;
    private final @Nullable String contentType;
    private final @Nullable String correlationId;
    private final @Nullable String toAddress;
    private final @Nullable String replyTo;
    private final @Nullable String replyToSessionId;
    private final @Nullable Duration timeToLive;
    private final @Nullable OffsetDateTime scheduledEnqueueTime;
    private final @Nullable String headers;
    private final byte[] payload;
    private final boolean held;

    /**
     * The row a result set stands on.
     *
     * @param first the place of the first of {@link #COLUMNS}
     * @param held whether the row's session is held
     */
    OutboxRow(ResultSet row, int first, boolean held) throws SQLException {
        this.held = held;
        int column = first;
        seq = row.getLong(column++);
        sessionId = row.getString(column++);
        messageId = row.getString(column++);
        brokerMessageId = row.getString(column++);
        partitionKey = row.getString(column++);
        subject = row.getString(column++);
        contentType = row.getString(column++);
        correlationId = row.getString(column++);
        toAddress = row.getString(column++);
        replyTo = row.getString(column++);
        replyToSessionId = row.getString(column++);
        long millis = row.getLong(column++);
        timeToLive = row.wasNull() ? null : Duration.ofMillis(millis);
        scheduledEnqueueTime = row.getObject(column++, OffsetDateTime.class);
        headers = row.getString(column++);
        payload = row.getBytes(column);
    }

    /** The row that was put on hold, as it is now. */
    OutboxRow(HeldMessage message) {
        MessageContent content = message.content();
        @Nullable Instant scheduled = content.scheduledEnqueueTime();
        held = true;
        seq = message.origin().position();
        sessionId = content.sessionId();
        messageId = content.messageId();
        brokerMessageId = content.brokerMessageId();
        partitionKey = content.partitionKey();
        subject = content.subject();
        contentType = content.contentType();
        correlationId = content.correlationId();
        toAddress = content.toAddress();
        replyTo = content.replyTo();
        replyToSessionId = content.replyToSessionId();
        timeToLive = content.timeToLive();
        scheduledEnqueueTime = scheduled == null ? null : scheduled.atOffset(ZoneOffset.UTC);
        headers = content.headers();
        payload = content.body();
    }

    /** In bytes: what of it can be large. */
    long weight() {
        return payload.length + (headers == null ? 0L : headers.length());
    }

    boolean isHeld() {
        return held;
    }

    /** Place in the order of its session. */
    public long seq() {
        return seq;
    }

    /** The logical id. */
    public String messageId() {
        return messageId;
    }

    /** The MessageId on the broker: the logical id, unless a re-drive gave another. */
    public String brokerMessageId() {
        return brokerMessageId != null ? brokerMessageId : messageId;
    }

    /** The ordering boundary. */
    public @Nullable String sessionId() {
        return sessionId;
    }

    /** The broker's PartitionKey. */
    public @Nullable String partitionKey() {
        return partitionKey;
    }

    /** The broker's Subject. */
    public @Nullable String subject() {
        return subject;
    }

    /** Media type of the payload. */
    public @Nullable String contentType() {
        return contentType;
    }

    /** The broker's CorrelationId. */
    public @Nullable String correlationId() {
        return correlationId;
    }

    /** The broker's To. */
    public @Nullable String toAddress() {
        return toAddress;
    }

    /** The broker's ReplyTo. */
    public @Nullable String replyTo() {
        return replyTo;
    }

    /** The broker's ReplyToSessionId. */
    public @Nullable String replyToSessionId() {
        return replyToSessionId;
    }

    /** How long the broker keeps the message. */
    public @Nullable Duration timeToLive() {
        return timeToLive;
    }

    /** Until when the broker holds the message back. */
    public @Nullable OffsetDateTime scheduledEnqueueTime() {
        return scheduledEnqueueTime;
    }

    /**
     * Application properties with their types.
     *
     * @throws IllegalArgumentException if a writer other than {@code Outbox} stored what is not of its form
     */
    public Map<String, Object> headers() {
        return headers == null ? Map.of() : Headers.read(headers);
    }

    /** The body; not a copy. */
    public byte[] payload() {
        return payload;
    }

    @Override
    public String toString() {
        return "row " + seq + " (message '" + messageId + "')";
    }
}
