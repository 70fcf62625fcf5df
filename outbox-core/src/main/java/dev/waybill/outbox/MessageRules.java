package dev.waybill.outbox;

import dev.waybill.message.BrokerNames;
import dev.waybill.message.SendRules;
import dev.waybill.message.WireContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rejects messages that PostgreSQL, Waybill or Service Bus would reject later. */
final class MessageRules {
    // The broker's envelope and annotations, rounded up.
    private static final int ENVELOPE_BYTES = 512;

    /** Messages with larger standard properties need {@link WireContract#PADDING}. */
    private static final int UNPADDED_BYTES = 300;

    private static final int BYTES_PER_PROPERTY = 16;

    private MessageRules() {}

    static void check(OutboxMessage message) {
        var values = message.values();
        if (values.destination.isBlank()) {
            throw new InvalidMessageException("Message '" + message.id() + "' has no destination");
        }
        checkText(message, "id", message.id());
        checkText(message, "session", values.session);
        checkText(message, "partition key", values.partitionKey);
        checkText(message, "reply-to session", values.replyToSession);
        values.headers.forEach((name, value) -> checkHeader(message, name, value));
        @Nullable String violation =
                SendRules.violation(new SendRules.Parts(message.id(), values.session, values.partitionKey, false));
        if (violation != null) {
            throw refused(message, violation);
        }
        if (values.session != null && BrokerNames.hasUnfoldedLetters(values.session)) {
            throw refused(
                    message,
                    "has the session '" + values.session + "' with an upper-case letter outside A to Z; Service Bus"
                            + " compares sessions without regard to case: write it in lower case");
        }
        if (values.partitionKey != null && values.partitionKey.isEmpty()) {
            throw refused(message, "has an empty partition key");
        }
        checkReplyToSession(message, values.replyToSession);
        if (WireContract.isRedriveId(message.id())) {
            throw refused(message, "has an id of the form that only re-drives carry: '<id>~<digest>'");
        }
        checkTimeToLive(message, values.timeToLive);
        checkText(message, "subject", values.subject);
        checkText(message, "correlation id", values.correlationId);
    }

    static void checkSize(OutboxMessage message, int maximumBytes) {
        int size = encodedSize(message);
        if (size > maximumBytes) {
            throw refused(
                    message,
                    "takes " + size + " bytes with its properties; '" + message.destination() + "' takes "
                            + maximumBytes);
        }
    }

    /** An upper estimate of the size on the broker: body, properties, padding and envelope. */
    private static int encodedSize(OutboxMessage message) {
        var values = message.values();
        int standard = 2 * bytes(message.id());
        int padding = 0;
        for (@Nullable String text : new @Nullable String[] {
            values.session,
            values.partitionKey,
            values.subject,
            values.contentType,
            values.correlationId,
            values.toAddress,
            values.replyTo,
            values.replyToSession
        }) {
            standard += bytes(text);
        }
        int headers = 0;
        for (Map.Entry<String, Object> header : values.headers.entrySet()) {
            String value = header.getValue().toString();
            headers += BYTES_PER_PROPERTY + bytes(header.getKey()) + bytes(value);
            padding += Math.max(0, bytes(value) - 2 * value.length());
        }
        padding += Math.max(0, standard - UNPADDED_BYTES);
        return ENVELOPE_BYTES + values.body.length + standard + headers + padding;
    }

    private static void checkReplyToSession(OutboxMessage message, @Nullable String id) {
        if (id != null && (id.isEmpty() || id.length() > WireContract.MAX_ID_LENGTH)) {
            throw refused(
                    message,
                    "has a reply-to session of " + id.length() + " characters; 1 to " + WireContract.MAX_ID_LENGTH
                            + " are allowed");
        }
    }

    private static void checkTimeToLive(OutboxMessage message, @Nullable Duration timeToLive) {
        if (timeToLive != null && timeToLive.compareTo(Duration.ofMillis(1)) < 0) {
            throw refused(message, "has the time to live " + timeToLive + "; at least one millisecond is needed");
        }
        if (timeToLive != null && timeToLive.compareTo(WireContract.LONGEST_TIME_TO_LIVE) > 0) {
            throw refused(
                    message,
                    "has the time to live " + timeToLive + "; the Azure SDK sends none above "
                            + WireContract.LONGEST_TIME_TO_LIVE + ": leave it to the entity's own");
        }
    }

    private static void checkHeader(OutboxMessage message, String name, Object value) {
        if (WireContract.isReserved(name)) {
            throw refused(message, "sets the header '" + name + "', which Waybill itself sets");
        }
        checkText(message, "header name", name);
        if (value instanceof String text && text.indexOf('\0') >= 0) {
            checkText(message, "header '" + name + "'", text);
        }
    }

    // PostgreSQL cannot store NUL in text.
    private static void checkText(OutboxMessage message, String field, @Nullable String text) {
        if (text != null && text.indexOf('\0') >= 0) {
            throw refused(message, "has a NUL character in its " + field);
        }
    }

    private static int bytes(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static InvalidMessageException refused(OutboxMessage message, String why) {
        return new InvalidMessageException(message + " " + why);
    }
}
