package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.console.access.Refusal;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** Alternating names and values; times become text, and empty values null. */
    static Map<String, @Nullable Object> row(@Nullable Object... namesAndValues) {
        var row = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put(String.valueOf(namesAndValues[i]), plain(namesAndValues[i + 1]));
        }
        return row;
    }

    /** A field, or a placeholder if it is masked. */
    static @Nullable String shown(ContentMask mask, String field, @Nullable String value) {
        return value != null && mask.hides(field) ? ContentMask.HIDDEN : value;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return plain(optional.orElse(null));
        }
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
        return value instanceof Instant ? value.toString() : value;
    }

    static String text(List<String> texts) {
        try {
            return MAPPER.writeValueAsString(texts);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<String> texts(String text) {
        try {
            return List.of(MAPPER.readValue(text, String[].class));
        } catch (JsonProcessingException | NullPointerException e) {
            return List.of();
        }
    }

    static void answer(Context request, Map<String, @Nullable Object> answer) {
        answer(request, "application/json", answer);
    }

    static void answer(Context request, String type, Map<String, @Nullable Object> answer) {
        try {
            request.contentType(type).result(MAPPER.writeValueAsString(answer));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A JSON object with only these members; a misspelt one would be ignored otherwise.
     *
     * @throws Refusal if it is invalid
     */
    static JsonNode read(Context request, List<String> members) {
        JsonNode body;
        try {
            body = MAPPER.readTree(request.body());
        } catch (JsonProcessingException e) {
            throw new Refusal(400, "The request is no JSON.");
        }
        if (body == null || !body.isObject()) {
            throw new Refusal(400, "The request is no JSON object.");
        }
        var others = new ArrayList<String>();
        body.fieldNames().forEachRemaining(name -> {
            if (!members.contains(name)) {
                others.add(name);
            }
        });
        if (!others.isEmpty()) {
            throw new Refusal(400, "The request has unknown members; known are " + members + ".");
        }
        return body;
    }
}
