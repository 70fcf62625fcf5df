package dev.waybill.outbox;

import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import dev.waybill.message.TextRules;
import dev.waybill.message.WireContract;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rejects messages that PostgreSQL, Waybill or Service Bus would reject later. */
final class MessageRules {
    // The broker's envelope and annotations, rounded up.
    private static final int ENVELOPE_BYTES = 512;

    /** Sentinels of callers, such as Instant.MAX, are beyond what PostgreSQL stores. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private MessageRules() {}

    static void check(OutboxMessage message) {
        var values = message.values();
        if (values.destination.isBlank()) {
            throw new InvalidMessageException("Message '" + message.id() + "' has no destination");
        }
        if (!values.destination.equals(values.destination.strip())) {
            throw new InvalidMessageException("Message '" + message.id() + "' goes to the destination '"
                    + values.destination + "', which begins or ends with a blank");
        }
        @Nullable String violation = TextRules.violation("destination", values.destination);
        if (violation == null) {
            violation = SendRules.violation(content(message), values.headers);
        }
        if (violation != null) {
            throw refused(message, violation);
        }
        values.headers.keySet().forEach(name -> checkHeader(message, name));
        if (WireContract.isRedriveId(message.id())) {
            throw refused(message, "has an id of the form that only re-drives carry: '<id>~<digest>'");
        }
        if (values.notBefore != null && values.notBefore.isAfter(LATEST)) {
            throw refused(
                    message, "is not to be sent before " + values.notBefore + "; at most " + LATEST + " is possible");
        }
    }

    /** The headers of a codec count as the application's own. */
    static void checkHeaders(OutboxMessage message) {
        @Nullable String violation = SendRules.violation(content(message), message.values().headers);
        if (violation != null) {
            throw refused(message, violation);
        }
    }

    static void checkSize(OutboxMessage message, int maximumBytes) {
        int size = ENVELOPE_BYTES
                + message.values().body.length
                + SendRules.propertyBytes(content(message), message.values().headers);
        if (size > maximumBytes) {
            throw refused(
                    message,
                    "takes " + size + " bytes with its properties; '" + message.destination() + "' takes "
                            + maximumBytes);
        }
    }

    private static void checkHeader(OutboxMessage message, String name) {
        if (WireContract.isReserved(name)) {
            throw refused(message, "sets the header '" + name + "', which Waybill itself sets");
        }
    }

    private static MessageContent content(OutboxMessage message) {
        var values = message.values();
        return MessageContent.builder(message.id())
                .sessionId(values.session)
                .partitionKey(values.partitionKey)
                .subject(values.subject)
                .contentType(values.contentType)
                .correlationId(values.correlationId)
                .toAddress(values.toAddress)
                .replyTo(values.replyTo)
                .replyToSessionId(values.replyToSession)
                .timeToLive(values.timeToLive)
                .scheduledEnqueueTime(values.scheduledEnqueueTime)
                .build();
    }

    private static InvalidMessageException refused(OutboxMessage message, String why) {
        return new InvalidMessageException(message + " " + why);
    }
}
