package dev.waybill.outbox;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.tools.json.JSONObject;
import org.jooq.tools.json.JSONParser;
import org.jooq.tools.json.ParseException;

/**
 * Application properties as the JSON of the outbox row. Strings, booleans and whole numbers are plain JSON; the other
 * types are an object with one member, their type: {@code {"uuid": "…"}}.
 */
public final class Headers {
    private static final String DOUBLE = "double";
    private static final String TIMESTAMP = "timestamp";
    private static final String ID = "uuid";

    private Headers() {}

    static String write(Map<String, Object> headers) {
        var json = new LinkedHashMap<String, Object>();
        headers.forEach((name, value) -> json.put(name, toJson(value)));
        return JSONObject.toJSONString(json);
    }

    /**
     * The properties with their types.
     *
     * @throws IllegalArgumentException if the text was not written by {@link Outbox} or after its manner
     */
    public static Map<String, Object> read(String json) {
        try {
            if (!(new JSONParser().parse(json) instanceof Map<?, ?> parsed)) {
                throw new IllegalArgumentException("Headers are not a JSON object: " + json);
            }
            var headers = new LinkedHashMap<String, Object>();
            parsed.forEach((name, value) -> headers.put((String) name, fromJson((String) name, value)));
            return headers;
        } catch (ParseException e) {
            throw new IllegalArgumentException("Headers are not JSON: " + json, e);
        }
    }

    private static Object toJson(Object value) {
        if (value instanceof Double number) {
            return Map.of(DOUBLE, number.toString());
        }
        if (value instanceof Instant instant) {
            return Map.of(TIMESTAMP, instant.toString());
        }
        return value instanceof UUID id ? Map.of(ID, id.toString()) : value;
    }

    private static Object fromJson(String name, Object value) {
        if (value instanceof String || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Map<?, ?> typed && typed.size() == 1) {
            var entry = typed.entrySet().iterator().next();
            return fromTyped(name, (String) entry.getKey(), String.valueOf(entry.getValue()));
        }
        throw new IllegalArgumentException("Header '" + name + "' has a value of no known type: " + value);
    }

    private static Object fromTyped(String name, String type, String text) {
        return switch (type) {
            case DOUBLE -> Double.valueOf(text);
            case TIMESTAMP -> Instant.parse(text);
            case ID -> UUID.fromString(text);
            default -> throw new IllegalArgumentException("Header '" + name + "' has the unknown type '" + type + "'");
        };
    }
}
