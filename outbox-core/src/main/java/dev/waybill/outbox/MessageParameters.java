package dev.waybill.outbox;

import dev.waybill.message.Headers;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds messages to the parameters of an INSERT. */
enum MessageParameters {
    /** All columns of a message. */
    ALL("""
              destination, session_id, message_id, subject, content_type, correlation_id, headers, payload, partition_key,
              to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time""", "?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?"),

    /** The first columns of {@link #ALL}. A null parameter costs the server about as much as a value. */
    USUAL(
            "  destination, session_id, message_id, subject, content_type, correlation_id, headers, payload",
            "?, ?, ?, ?, ?, ?, ?::jsonb, ?");

    /** Column names in the order of the parameters. */
    final String columns;

    final String row;

    MessageParameters(String columns, String row) {
        this.columns = columns;
        this.row = row;
    }

    /** The smallest set of columns for these messages. */
    static MessageParameters of(List<OutboxMessage> messages) {
        return messages.stream().allMatch(MessageParameters::areUsual) ? USUAL : ALL;
    }

    /** Whether {@link #USUAL} has all columns that the message needs. */
    static boolean areUsual(OutboxMessage message) {
        var values = message.values();
        return values.partitionKey == null
                && values.toAddress == null
                && values.replyTo == null
                && values.replyToSession == null
                && values.timeToLive == null
                && values.scheduledEnqueueTime == null;
    }

    void bind(PreparedStatement statement, int first, List<OutboxMessage> messages) throws SQLException {
        int next = first;
        for (OutboxMessage message : messages) {
            next = bind(statement, next, message);
        }
    }

    /** Returns the index after the bound parameters. */
    int bind(PreparedStatement statement, int first, OutboxMessage message) throws SQLException {
        var values = message.values();
        int next = bindTexts(
                statement,
                first,
                values.destination,
                values.session,
                message.id(),
                values.subject,
                values.contentType,
                values.correlationId,
                values.headers.isEmpty() ? null : Headers.write(values.headers));
        statement.setBytes(next++, values.body);
        return this == USUAL ? next : bindRest(statement, next, values);
    }

    private static int bindRest(PreparedStatement statement, int first, OutboxMessage.Builder values)
            throws SQLException {
        int next = bindTexts(
                statement, first, values.partitionKey, values.toAddress, values.replyTo, values.replyToSession);
        if (values.timeToLive == null) {
            statement.setNull(next, Types.BIGINT);
        } else {
            statement.setLong(next, values.timeToLive.toMillis());
        }
        @Nullable Instant scheduled = values.scheduledEnqueueTime;
        if (scheduled == null) {
            statement.setNull(next + 1, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(next + 1, scheduled.atOffset(ZoneOffset.UTC));
        }
        return next + 2;
    }

    private static int bindTexts(PreparedStatement statement, int first, @Nullable String... texts)
            throws SQLException {
        int next = first;
        for (String text : texts) {
            statement.setString(next++, text);
        }
        return next;
    }
}
