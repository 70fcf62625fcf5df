package dev.waybill.deadletter;

import static dev.waybill.migrations.jooq.Tables.DEAD_LETTER;

import dev.waybill.deadletter.Arrival.Death;
import dev.waybill.deadletter.Arrival.Origin;
import dev.waybill.hold.MessageContent;
import dev.waybill.outbox.Headers;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jooq.Record;
import org.jooq.tools.json.ContainerFactory;
import org.jooq.tools.json.JSONObject;
import org.jooq.tools.json.JSONParser;
import org.jooq.tools.json.ParseException;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as a line of JSON. Whoever writes another is understood as long as the members {@code entity},
 * {@code sequenceNumber}, {@code enqueuedAt}, {@code id} and {@code body} are there.
 */
final class DeadLetterLine {
    private static final ContainerFactory IN_ORDER = new ContainerFactory() {
        @Override
        public Map<Object, Object> createObjectContainer() {
            return new LinkedHashMap<>();
        }

        @Override
        public List<Object> createArrayContainer() {
            return new ArrayList<>();
        }
    };

    private DeadLetterLine() {}

    static String write(Record row) {
        var line = new LinkedHashMap<String, @Nullable Object>();
        line.put("key", String.valueOf(row.get(DEAD_LETTER.KEY)));
        line.put("entity", row.get(DEAD_LETTER.ENTITY));
        line.put("transfer", row.get(DEAD_LETTER.TRANSFER));
        line.put("sequenceNumber", row.get(DEAD_LETTER.SEQUENCE_NUMBER));
        line.put("enqueuedAt", time(row.get(DEAD_LETTER.ENQUEUED_AT)));
        line.put("deliveries", row.get(DEAD_LETTER.DELIVERIES));
        line.put("expiresAt", time(row.get(DEAD_LETTER.EXPIRES_AT)));
        line.put("source", row.get(DEAD_LETTER.SOURCE));
        line.put("reason", row.get(DEAD_LETTER.REASON));
        line.put("description", row.get(DEAD_LETTER.DESCRIPTION));
        line.put("id", row.get(DEAD_LETTER.MESSAGE_ID));
        line.put("brokerId", row.get(DEAD_LETTER.BROKER_MESSAGE_ID));
        line.put("session", row.get(DEAD_LETTER.SESSION_ID));
        line.put("partitionKey", row.get(DEAD_LETTER.PARTITION_KEY));
        line.put("subject", row.get(DEAD_LETTER.SUBJECT));
        line.put("contentType", row.get(DEAD_LETTER.CONTENT_TYPE));
        line.put("correlationId", row.get(DEAD_LETTER.CORRELATION_ID));
        line.put("to", row.get(DEAD_LETTER.TO_ADDRESS));
        line.put("replyTo", row.get(DEAD_LETTER.REPLY_TO));
        line.put("replyToSession", row.get(DEAD_LETTER.REPLY_TO_SESSION_ID));
        line.put("timeToLiveMillis", row.get(DEAD_LETTER.TIME_TO_LIVE));
        line.put("scheduledFor", time(row.get(DEAD_LETTER.SCHEDULED_ENQUEUE_TIME)));
        line.put("properties", properties(row.get(DEAD_LETTER.HEADERS)));
        line.put("bodyKind", row.get(DEAD_LETTER.BODY_KIND));
        line.put("body", Base64.getEncoder().encodeToString(row.get(DEAD_LETTER.PAYLOAD)));
        line.put("collectedAt", time(row.get(DEAD_LETTER.COLLECTED_AT)));
        line.values().removeIf(Objects::isNull);
        return JSONObject.toJSONString(line);
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static Arrival read(String text) {
        var line = new Members(parse(text));
        var entity = DeadLetterEntity.ofPath(line.text("entity"), Boolean.TRUE.equals(line.get("transfer")));
        String id = line.text("id");
        @Nullable String brokerId = line.optional("brokerId");
        @Nullable Long timeToLive = (Long) line.get("timeToLiveMillis");
        byte[] body = Base64.getDecoder().decode(line.text("body"));
        var origin = new Origin(
                entity,
                line.number("sequenceNumber"),
                Instant.parse(line.text("enqueuedAt")),
                brokerId == null ? id : brokerId,
                line.get("deliveries") instanceof Long deliveries ? deliveries : 0,
                line.time("expiresAt"));
        @Nullable Object properties = line.get("properties");
        var content = new MessageContent(
                id,
                brokerId,
                line.optional("session"),
                line.optional("partitionKey"),
                line.optional("subject"),
                line.optional("contentType"),
                line.optional("correlationId"),
                line.optional("to"),
                line.optional("replyTo"),
                line.optional("replyToSession"),
                timeToLive == null ? null : Duration.ofMillis(timeToLive),
                line.time("scheduledFor"),
                properties == null ? null : headers((Map<?, ?>) properties),
                body);
        @Nullable String key = line.optional("key");
        return new Arrival(
                key == null ? line : new ArrivalKey.Known(UUID.fromString(key)),
                origin,
                new Death(
                        orEmpty(line.optional("reason")),
                        orEmpty(line.optional("description")),
                        line.optional("source")),
                content,
                BodyKind.ofColumn(line.get("bodyKind") instanceof String kind ? kind : "data"));
    }

    private static Map<?, ?> parse(String text) {
        try {
            if (new JSONParser().parse(text, IN_ORDER) instanceof Map<?, ?> members) {
                return members;
            }
        } catch (ParseException e) {
            throw new IllegalArgumentException("Not a line of JSON: " + e, e);
        }
        throw new IllegalArgumentException("Not a JSON object");
    }

    private static @Nullable Object properties(@Nullable String headers) {
        return headers == null ? null : parse(headers);
    }

    // In the form that filters look for.
    private static String headers(Map<?, ?> properties) {
        return Headers.write(Headers.read(JSONObject.toJSONString(properties)));
    }

    private static @Nullable String time(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant().toString();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The members of a line. */
    private record Members(Map<?, ?> all) {
        @Nullable Object get(String name) {
            return all.get(name);
        }

        @Nullable String optional(String name) {
            return (String) get(name);
        }

        String text(String name) {
            @Nullable String text = optional(name);
            if (text == null) {
                throw new IllegalArgumentException("The member '" + name + "' is missing");
            }
            return text;
        }

        long number(String name) {
            if (get(name) instanceof Long number) {
                return number;
            }
            throw new IllegalArgumentException("The member '" + name + "' is no whole number");
        }

        @Nullable Instant time(String name) {
            @Nullable String time = optional(name);
            return time == null ? null : Instant.parse(time);
        }
    }
}
