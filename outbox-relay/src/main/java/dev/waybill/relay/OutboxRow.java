package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;

import dev.waybill.hold.HeldMessage;
import dev.waybill.message.MessageContent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** One committed message as the table or a hold has it. Immutable as long as nobody writes to its body. */
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
    private final MessageContent content;
    private final boolean held;

    /**
     * The row a result set stands on.
     *
     * @param first the place of the first of {@link #COLUMNS}
     * @param held whether the row's session is held
     */
    OutboxRow(ResultSet row, int first, boolean held) throws SQLException {
        this.held = held;
        seq = row.getLong(first);
        content = content(row, first + 1);
    }

    /** A row of which all is known. */
    OutboxRow(long seq, boolean held, MessageContent content) {
        this.seq = seq;
        this.held = held;
        this.content = content;
    }

    /** The row that was put on hold, as it is now. */
    OutboxRow(HeldMessage message) {
        held = true;
        seq = message.origin().position();
        content = message.content();
    }

    /** For tests of publishers: a row that is not held. */
    public static OutboxRow of(long seq, MessageContent content) {
        return new OutboxRow(seq, false, content);
    }

    private static MessageContent content(ResultSet row, int first) throws SQLException {
        int column = first;
        @Nullable String session = row.getString(column++);
        var content = MessageContent.builder(row.getString(column++))
                .sessionId(session)
                .brokerMessageId(row.getString(column++))
                .partitionKey(row.getString(column++))
                .subject(row.getString(column++))
                .contentType(row.getString(column++))
                .correlationId(row.getString(column++))
                .toAddress(row.getString(column++))
                .replyTo(row.getString(column++))
                .replyToSessionId(row.getString(column++));
        long millis = row.getLong(column++);
        content.timeToLive(row.wasNull() ? null : Duration.ofMillis(millis));
        @Nullable OffsetDateTime scheduled = row.getObject(column++, OffsetDateTime.class);
        return content.scheduledEnqueueTime(scheduled == null ? null : scheduled.toInstant())
                .headers(row.getString(column++))
                .body(row.getBytes(column))
                .build();
    }

    /** In bytes: what of it can be large. */
    long weight() {
        @Nullable String headers = content.headers();
        return content.body().length + (headers == null ? 0L : headers.length());
    }

    boolean isHeld() {
        return held;
    }

    /** Place in the order of its session. */
    public long seq() {
        return seq;
    }

    /** All that is published of it. */
    public MessageContent content() {
        return content;
    }

    /** The logical id. */
    public String messageId() {
        return content.messageId();
    }

    /** The MessageId on the broker: the logical id, unless a re-drive gave another. */
    public String brokerMessageId() {
        return content.messageIdOnBroker();
    }

    /** The ordering boundary. */
    public @Nullable String sessionId() {
        return content.sessionId();
    }

    @Override
    public String toString() {
        return "row " + seq + " (message '" + messageId() + "')";
    }
}
