package dev.waybill.deadletter.store;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.message.MessageContent;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** A dead letter as a line of JSON, which another system may have written. */
public final class DeadLetterJson {
    /** Characters of the longest line: a message of 100 MiB as Base64, and the rest. */
    public static final int LONGEST = 150_000_000;

    private static final JsonFactory JSON = new JsonFactory();
    private static final String EMPTIED = "emptied";

    private static final String COLLECTED = "collectedAt";

    private static final Set<String> MEMBERS = Set.of(
            "key",
            "entity",
            "transfer",
            "sequenceNumber",
            "enqueuedAt",
            "deliveries",
            "expiresAt",
            "source",
            "reason",
            "description",
            "id",
            "brokerId",
            "session",
            "partitionKey",
            "subject",
            "contentType",
            "correlationId",
            "to",
            "replyTo",
            "replyToSession",
            "timeToLiveMillis",
            "scheduledFor",
            "properties",
            "bodyKind",
            "body",
            EMPTIED,
            COLLECTED);

    private DeadLetterJson() {}

    /** Why a letter of an import has no body; null if it has one. */
    static @Nullable EmptiedReason emptied(ReceivedDeadLetter letter) {
        return letter.handle() instanceof Imported imported ? imported.emptied() : null;
    }

    /** The key of an exported letter; null if another system has written the line. */
    public static @Nullable UUID exportedKey(ReceivedDeadLetter letter) {
        return letter.handle() instanceof Imported imported ? imported.key() : null;
    }

    public static String write(Record row) {
        var text = new StringWriter();
        try (JsonGenerator line = JSON.createGenerator(text)) {
            line.writeStartObject();
            writeOrigin(line, row);
            writeContent(line, row);
            write(line, COLLECTED, time(row.get(DEAD_LETTER.COLLECTED_AT)));
            line.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be written", e);
        }
        return text.toString();
    }

    private static void writeOrigin(JsonGenerator line, Record row) throws IOException {
        write(line, "key", String.valueOf(row.get(DEAD_LETTER.KEY)));
        write(line, "entity", row.get(DEAD_LETTER.ENTITY));
        line.writeBooleanField("transfer", row.get(DEAD_LETTER.TRANSFER));
        line.writeNumberField("sequenceNumber", row.get(DEAD_LETTER.SEQUENCE_NUMBER));
        write(line, "enqueuedAt", time(row.get(DEAD_LETTER.ENQUEUED_AT)));
        line.writeNumberField("deliveries", row.get(DEAD_LETTER.DELIVERIES));
        write(line, "expiresAt", time(row.get(DEAD_LETTER.EXPIRES_AT)));
        write(line, "source", row.get(DEAD_LETTER.SOURCE));
        write(line, "reason", row.get(DEAD_LETTER.REASON));
        write(line, "description", row.get(DEAD_LETTER.DESCRIPTION));
    }

    private static void writeContent(JsonGenerator line, Record row) throws IOException {
        write(line, "id", row.get(DEAD_LETTER.MESSAGE_ID));
        write(line, "brokerId", row.get(DEAD_LETTER.BROKER_MESSAGE_ID));
        write(line, "session", row.get(DEAD_LETTER.SESSION_ID));
        write(line, "partitionKey", row.get(DEAD_LETTER.PARTITION_KEY));
        write(line, "subject", row.get(DEAD_LETTER.SUBJECT));
        write(line, "contentType", row.get(DEAD_LETTER.CONTENT_TYPE));
        write(line, "correlationId", row.get(DEAD_LETTER.CORRELATION_ID));
        write(line, "to", row.get(DEAD_LETTER.TO_ADDRESS));
        write(line, "replyTo", row.get(DEAD_LETTER.REPLY_TO));
        write(line, "replyToSession", row.get(DEAD_LETTER.REPLY_TO_SESSION_ID));
        @Nullable Long timeToLive = row.get(DEAD_LETTER.TIME_TO_LIVE);
        if (timeToLive != null) {
            line.writeNumberField("timeToLiveMillis", timeToLive);
        }
        write(line, "scheduledFor", time(row.get(DEAD_LETTER.SCHEDULED_ENQUEUE_TIME)));
        @Nullable String headers = row.get(DEAD_LETTER.HEADERS);
        if (headers != null) {
            line.writeFieldName("properties");
            // Line breaks can stand only between tokens.
            line.writeRawValue(headers.replace('\n', ' ').replace('\r', ' '));
        }
        write(line, "bodyKind", row.get(DEAD_LETTER.BODY_KIND));
        line.writeFieldName("body");
        line.writeBinary(
                Base64Variants.MIME_NO_LINEFEEDS, row.get(DEAD_LETTER.PAYLOAD), 0, row.get(DEAD_LETTER.PAYLOAD).length);
        write(line, EMPTIED, emptied(row));
    }

    private static void write(JsonGenerator line, String name, @Nullable String text) throws IOException {
        if (text != null) {
            line.writeStringField(name, text);
        }
    }

    public static ReceivedDeadLetter read(String text) {
        JsonMembers line = JsonMembers.of(text);
        line.require(MEMBERS);
        var entity = DeadLetterEntity.ofPath(line.text("entity"), line.flag("transfer"));
        String id = line.text("id");
        @Nullable String brokerId = line.optional("brokerId");
        @Nullable Long timeToLive = line.optionalNumber("timeToLiveMillis");
        @Nullable Long deliveries = line.optionalNumber("deliveries");
        var origin = new Origin(
                entity,
                line.number("sequenceNumber"),
                line.time("enqueuedAt"),
                brokerId == null ? id : brokerId,
                deliveries == null ? 0 : deliveries,
                line.optionalTime("expiresAt"));
        var content = MessageContent.builder(id)
                .brokerMessageId(brokerId)
                .sessionId(line.optional("session"))
                .partitionKey(line.optional("partitionKey"))
                .subject(line.optional("subject"))
                .contentType(line.optional("contentType"))
                .correlationId(line.optional("correlationId"))
                .toAddress(line.optional("to"))
                .replyTo(line.optional("replyTo"))
                .replyToSessionId(line.optional("replyToSession"))
                .timeToLive(timeToLive == null ? null : Duration.ofMillis(timeToLive))
                .scheduledEnqueueTime(line.optionalTime("scheduledFor"))
                .headers(line.properties())
                .body(line.bytes("body"))
                .build();
        var death = new Death(
                orEmpty(line.optional("reason")), orEmpty(line.optional("description")), line.optional("source"));
        return new ReceivedDeadLetter(
                new Imported(line.optionalUuid("key"), emptied(line)),
                origin,
                death,
                content,
                kind(line.optional("bodyKind")));
    }

    private static @Nullable EmptiedReason emptied(JsonMembers line) {
        @Nullable String text = line.optional(EMPTIED);
        try {
            return text == null ? null : DeadLetterRows.constant(EmptiedReason.class, text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The member '" + EMPTIED + "' is '" + text + "', which means nothing", e);
        }
    }

    private static BodyKind kind(@Nullable String text) {
        try {
            return text == null ? BodyKind.DATA : DeadLetterRows.constant(BodyKind.class, text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The member 'bodyKind' is '" + text + "', which means nothing", e);
        }
    }

    private static @Nullable String emptied(Record row) {
        @Nullable String emptied = row.get(DEAD_LETTER.EMPTIED);
        return emptied == null
                        && DeadLetterRows.column(DeadLetter.State.ARCHIVED).equals(row.get(DEAD_LETTER.STATE))
                ? DeadLetterRows.column(EmptiedReason.WITHOUT_BODY)
                : emptied;
    }

    private static @Nullable String time(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant().toString();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The handle of a line. An edit may have changed the body since the key was made; other systems write no key. */
    private record Imported(@Nullable UUID key, @Nullable EmptiedReason emptied) {}
}
