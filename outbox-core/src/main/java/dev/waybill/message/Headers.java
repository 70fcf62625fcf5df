package dev.waybill.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Application properties as JSON, as the tables store them. Strings, booleans and longs are plain JSON. Other types are an
 * object with the type's name: {@code {"uuid": "…"}}. Numbers with a fraction are read as doubles, for rows that SQL writes. The outbox writes strings, longs, doubles, booleans, times and UUIDs;
 * foreign producers may use the other types.
 */
public final class Headers {
    private static final Map<String, Class<?>> TYPES = Map.ofEntries(
            Map.entry(TypedText.DOUBLE, Double.class),
            Map.entry(TypedText.TIMESTAMP, Instant.class),
            Map.entry(TypedText.ID, UUID.class),
            Map.entry(TypedText.INT, Integer.class),
            Map.entry(TypedText.SHORT, Short.class),
            Map.entry(TypedText.BYTE, Byte.class),
            Map.entry(TypedText.FLOAT, Float.class),
            Map.entry(TypedText.CHAR, Character.class),
            Map.entry(TypedText.BINARY, byte[].class),
            Map.entry(TypedText.DURATION, Duration.class),
            Map.entry(TypedText.LINK, URI.class),
            Map.entry(TypedText.OFFSET_TIME, OffsetDateTime.class));

    // Interned names would stay in memory, and names come from foreign producers.
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private Headers() {}

    /** Encodes properties, or throws an {@link IllegalArgumentException} naming a value of an unsupported type. */
    public static String write(Map<String, Object> headers) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<String, Object> header : headers.entrySet()) {
                json.writeFieldName(header.getKey());
                write(json, header.getKey(), header.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be written", e);
        }
        return text.toString();
    }

    /** Decodes properties, or throws an {@link IllegalArgumentException}. */
    public static Map<String, Object> read(String text) {
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("Headers are not a JSON object");
            }
            var headers = new LinkedHashMap<String, Object>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                json.nextToken();
                headers.put(name, value(json, name));
            }
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("Headers have text after their JSON object");
            }
            return headers;
        } catch (JsonProcessingException e) {
            // Without the cause, which quotes the text.
            // A number out of range has no location.
            @Nullable JsonLocation at = e.getLocation();
            throw new IllegalArgumentException(
                    at == null
                            ? "Headers have a number out of range"
                            : "Headers are not JSON at column " + at.getColumnNr());
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be read", e);
        }
    }

    /** Whether {@link #write} supports the type of this value. */
    public static boolean hasForm(Object value) {
        return value instanceof String
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof AmqpValue
                || TYPES.values().stream().anyMatch(type -> type.isInstance(value));
    }

    private static void write(JsonGenerator json, String name, Object value) throws IOException {
        if (value instanceof String string) {
            json.writeString(string);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else {
            json.writeStartObject();
            json.writeStringField(
                    typeOf(name, value), value instanceof byte[] bytes ? encode(bytes) : value.toString());
            json.writeEndObject();
        }
    }

    private static String typeOf(String name, Object value) {
        if (value instanceof AmqpValue foreign) {
            return foreign.type();
        }
        for (Map.Entry<String, Class<?>> type : TYPES.entrySet()) {
            if (type.getValue().isInstance(value)) {
                return type.getKey();
            }
        }
        throw new IllegalArgumentException(
                "Header '" + name + "' is a " + value.getClass().getName() + ", which is not a supported type");
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static Object value(JsonParser json, String name) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case START_OBJECT -> typed(json, name);
            default -> throw new IllegalArgumentException("Header '" + name + "' has a value of no known type");
        };
    }

    private static Object typed(JsonParser json, String name) throws IOException {
        String type = json.nextToken() == JsonToken.FIELD_NAME ? json.currentName() : "";
        boolean scalar = json.nextToken() != null && json.currentToken().isScalarValue();
        String text = scalar ? json.getText() : "";
        if (!scalar || json.nextToken() != JsonToken.END_OBJECT) {
            throw new IllegalArgumentException("Header '" + name + "' has a value of no known type");
        }
        try {
            return TypedText.value(type, text);
        } catch (RuntimeException e) {
            // Without the cause, which quotes the value.
            throw new IllegalArgumentException("Header '" + name + "' has no value of the type '" + type + "'");
        }
    }

    /**
     * The value of a text for a property that keeps the type of {@code old}.
     *
     * @throws RuntimeException if the type has no such value
     */
    public static Object like(Object old, String text) {
        if (old instanceof String) {
            return text;
        }
        if (old instanceof Long) {
            return Long.valueOf(text);
        }
        if (old instanceof Boolean) {
            if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException("Neither true nor false");
            }
            return Boolean.valueOf(text);
        }
        return TypedText.value(typeOf("", old), text);
    }
}
