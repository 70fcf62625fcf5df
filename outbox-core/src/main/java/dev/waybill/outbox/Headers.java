package dev.waybill.outbox;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.tools.json.JSONObject;
import org.jooq.tools.json.JSONParser;
import org.jooq.tools.json.ParseException;

/**
 * Application properties as the JSON of a row. Strings, booleans and longs are plain JSON; the other types are an object
 * with one member, their type: {@code {"uuid": "…"}}. {@link Outbox} writes strings, longs, doubles, booleans, times and
 * UUIDs; the other types come from foreign producers.
 */
public final class Headers {
    private static final String DOUBLE = "double";
    private static final String TIMESTAMP = "timestamp";
    private static final String ID = "uuid";
    private static final String INT = "int";
    private static final String SHORT = "short";
    private static final String BYTE = "byte";
    private static final String FLOAT = "float";
    private static final String CHAR = "char";
    private static final String DECIMAL = "decimal";
    private static final String BINARY = "binary";
    private static final String DURATION = "duration";
    private static final String LINK = "uri";
    private static final String OFFSET_TIME = "offset-time";

    private static final Map<String, Class<?>> TYPES = Map.ofEntries(
            Map.entry(DOUBLE, Double.class),
            Map.entry(TIMESTAMP, Instant.class),
            Map.entry(ID, UUID.class),
            Map.entry(INT, Integer.class),
            Map.entry(SHORT, Short.class),
            Map.entry(BYTE, Byte.class),
            Map.entry(FLOAT, Float.class),
            Map.entry(CHAR, Character.class),
            Map.entry(DECIMAL, BigDecimal.class),
            Map.entry(BINARY, byte[].class),
            Map.entry(DURATION, Duration.class),
            Map.entry(LINK, URI.class),
            Map.entry(OFFSET_TIME, OffsetDateTime.class));

    private Headers() {}

    /**
     * The properties as text.
     *
     * @throws IllegalArgumentException naming the first value of a type that has no form
     */
    public static String write(Map<String, Object> headers) {
        var json = new LinkedHashMap<String, Object>();
        headers.forEach((name, value) -> json.put(name, toJson(name, value)));
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

    private static Object toJson(String name, Object value) {
        if (value instanceof String || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        for (Map.Entry<String, Class<?>> type : TYPES.entrySet()) {
            if (type.getValue().isInstance(value)) {
                return Map.of(type.getKey(), value instanceof byte[] bytes ? encode(bytes) : value.toString());
            }
        }
        throw new IllegalArgumentException(
                "Header '" + name + "' is a " + value.getClass().getName() + ", which has no form in a row");
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
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
            case INT -> Integer.valueOf(text);
            case SHORT -> Short.valueOf(text);
            case BYTE -> Byte.valueOf(text);
            case FLOAT -> Float.valueOf(text);
            case CHAR -> text.charAt(0);
            case DECIMAL -> new BigDecimal(text);
            case BINARY -> Base64.getDecoder().decode(text);
            case DURATION -> Duration.parse(text);
            case LINK -> URI.create(text);
            case OFFSET_TIME -> OffsetDateTime.parse(text);
            default -> throw new IllegalArgumentException("Header '" + name + "' has the unknown type '" + type + "'");
        };
    }
}
