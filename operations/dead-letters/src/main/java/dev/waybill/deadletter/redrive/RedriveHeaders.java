package dev.waybill.deadletter.redrive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.store.FirstEnqueued;
import dev.waybill.message.Headers;
import dev.waybill.message.WireContract;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The application properties of a copy: those of the letter, and its history. */
final class RedriveHeaders {
    private static final JsonFactory JSON = new JsonFactory();
    private static final List<String> OURS = List.of(
            WireContract.REDRIVE_COUNT,
            WireContract.REDRIVE_TARGET,
            WireContract.REDRIVE_HISTORY,
            WireContract.FIRST_ENQUEUED,
            WireContract.BODY);
    private static final int LONGEST_HISTORY = 5;
    private static final int LONGEST_REASON = 100;

    /** Beside a body of this size the history might make the message too large. */
    private static final int LARGE = 200 * 1024;

    private RedriveHeaders() {}

    static String of(LastDeath death, @Nullable String headers, Body body, String now) {
        if (headers != null && OURS.stream().anyMatch(headers::contains)) {
            var all = new LinkedHashMap<>(Headers.read(headers));
            @Nullable Object before = all.get(WireContract.REDRIVE_HISTORY);
            all.keySet().removeAll(OURS);
            all.putAll(ours(death, before, body, now));
            return Headers.write(all);
        }
        String ours = Headers.write(ours(death, null, body, now));
        return headers == null ? ours : joined(headers, ours);
    }

    private static Map<String, Object> ours(LastDeath death, @Nullable Object before, Body body, String now) {
        var ours = new LinkedHashMap<String, Object>();
        ours.put(WireContract.REDRIVE_COUNT, death.redrives + 1L);
        ours.put(WireContract.FIRST_ENQUEUED, death.first.text());
        @Nullable String target = death.target();
        if (target != null) {
            ours.put(WireContract.REDRIVE_TARGET, target);
        }
        if (body.kind == BodyKind.TEXT) {
            ours.put(WireContract.BODY, WireContract.TEXT_BODY);
        }
        if (body.bytes <= LARGE) {
            ours.put(WireContract.REDRIVE_HISTORY, history(before, death, now));
        }
        return ours;
    }

    // Most letters have not been re-driven before, and their properties need not be parsed.
    private static String joined(String headers, String ours) {
        String open = headers.substring(0, headers.lastIndexOf('}')).stripTrailing();
        return open + (open.endsWith("{") ? "" : ",") + ours.substring(1);
    }

    private static String history(@Nullable Object before, LastDeath death, String now) {
        List<String> entries = before instanceof String json ? entries(json) : new ArrayList<>();
        entries.add(entry(death, now));
        return entries.subList(Math.max(0, entries.size() - LONGEST_HISTORY), entries.size()).stream()
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String entry(LastDeath death, String now) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("entity", death.entity);
            json.writeStringField("reason", death.reason.substring(0, Math.min(death.reason.length(), LONGEST_REASON)));
            json.writeStringField("enqueued", death.enqueuedAt.toString());
            json.writeNumberField("deliveries", death.deliveries);
            json.writeStringField("redriven", now);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be written", e);
        }
        return text.toString();
    }

    // Another system may have written it; entries that cannot be read are left out.
    private static List<String> entries(String history) {
        var entries = new ArrayList<String>();
        try (JsonParser json = JSON.createParser(history)) {
            if (json.nextToken() == JsonToken.START_ARRAY) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    entries.add(copy(json));
                }
            }
        } catch (IOException e) {
            return entries;
        }
        return entries;
    }

    private static String copy(JsonParser from) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.copyCurrentStructure(from);
        }
        return text.toString();
    }

    /** How the message became this dead letter. */
    record LastDeath(
            String entity, String reason, Instant enqueuedAt, long deliveries, int redrives, FirstEnqueued first) {
        /** The one subscription that handles the copy. */
        @Nullable String target() {
            return DeadLetterEntity.ofPath(entity, false).subscription().orElse(null);
        }
    }

    record Body(BodyKind kind, int bytes) {}
}
