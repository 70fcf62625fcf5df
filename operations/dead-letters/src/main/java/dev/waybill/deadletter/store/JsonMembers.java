package dev.waybill.deadletter.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.waybill.message.Headers;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object from another system. Exceptions name the member. */
record JsonMembers(Map<String, Object> all) {
    private static final String PROPERTIES = "properties";

    /** Properties of messages need three. */
    private static final int DEEPEST = 20;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(DeadLetterJson.LONGEST)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    static JsonMembers of(String text) {
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("Not a JSON object");
            }
            var members = new HashMap<String, Object>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                json.nextToken();
                put(members, name, json);
            }
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("There is something behind the JSON object");
            }
            return new JsonMembers(members);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not a line of JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be read", e);
        }
    }

    private static void put(Map<String, Object> members, String name, JsonParser json) throws IOException {
        switch (json.currentToken()) {
            case VALUE_STRING -> members.put(name, json.getText());
            case VALUE_NUMBER_INT -> members.put(name, json.getBigIntegerValue());
            case VALUE_TRUE -> members.put(name, true);
            case VALUE_FALSE -> members.put(name, false);
            case VALUE_NULL -> {}
            case START_OBJECT -> members.put(name, name.equals(PROPERTIES) ? copied(json) : skipped(json));
            default -> members.put(name, skipped(json));
        }
    }

    private static Properties copied(JsonParser json) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator copy = JSON.createGenerator(text)) {
            copy.copyCurrentStructure(json);
        }
        return new Properties(text.toString());
    }

    private static Unknown skipped(JsonParser json) throws IOException {
        json.skipChildren();
        return new Unknown();
    }

    /** A fact under a name of another system would be lost; {@code known} has every name that is read or written. */
    void require(Set<String> known) {
        for (String name : all.keySet()) {
            if (!known.contains(name)) {
                String meant = known.stream()
                        .filter(other -> resembles(name, other))
                        .max(Comparator.comparingInt(String::length))
                        .map(other -> "; did you mean '" + other + "'?")
                        .orElse("; leave it out, or put it into '" + PROPERTIES + "'");
                throw new IllegalArgumentException("There is no member '" + name + "'" + meant);
            }
        }
    }

    private static boolean resembles(String name, String known) {
        String one = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        String other = known.toLowerCase(Locale.ROOT);
        return !one.isEmpty() && (one.contains(other) || other.contains(one));
    }

    String text(String name) {
        @Nullable String text = optional(name);
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException("The member '" + name + "' is missing or empty");
        }
        return text;
    }

    @Nullable String optional(String name) {
        @Nullable Object value = all.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof String text) {
            checkCharacters(name, text);
            return text;
        }
        throw new IllegalArgumentException("The member '" + name + "' is no text");
    }

    long number(String name) {
        @Nullable Long number = optionalNumber(name);
        if (number == null) {
            throw new IllegalArgumentException("The member '" + name + "' is missing");
        }
        return number;
    }

    @Nullable Long optionalNumber(String name) {
        @Nullable Object value = all.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof java.math.BigInteger number && number.bitLength() < Long.SIZE) {
            return number.longValue();
        }
        throw new IllegalArgumentException("The member '" + name + "' is no whole number of 64 bits");
    }

    boolean flag(String name) {
        @Nullable Object value = all.get(name);
        if (value == null || value instanceof Boolean) {
            return Boolean.TRUE.equals(value);
        }
        throw new IllegalArgumentException("The member '" + name + "' is neither true nor false");
    }

    Instant time(String name) {
        @Nullable Instant time = optionalTime(name);
        if (time == null) {
            throw new IllegalArgumentException("The member '" + name + "' is missing");
        }
        return time;
    }

    @Nullable Instant optionalTime(String name) {
        @Nullable String text = optional(name);
        if (text == null) {
            return null;
        }
        try {
            Instant time = Instant.parse(text);
            if (StorableValues.isOnCalendar(time)) {
                return time;
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("The member '" + name + "' is no time in ISO 8601", e);
        }
        throw new IllegalArgumentException("The member '" + name + "' is a time outside of the years 1 to 9999");
    }

    @Nullable UUID optionalUuid(String name) {
        @Nullable String text = optional(name);
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The member '" + name + "' is no UUID", e);
        }
    }

    byte[] bytes(String name) {
        @Nullable String text = optional(name);
        if (text == null) {
            throw new IllegalArgumentException("The member '" + name + "' is missing");
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The member '" + name + "' is no Base64", e);
        }
    }

    /** The application properties as a row has them; null if there are none. */
    @Nullable String properties() {
        @Nullable Object value = all.get(PROPERTIES);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Properties text)) {
            throw new IllegalArgumentException("The member '" + PROPERTIES + "' is no JSON object");
        }
        Map<String, Object> properties;
        try {
            properties = Headers.read(text.json);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("A property has a value of no known type", e);
        }
        properties.forEach((name, property) -> {
            checkCharacters(PROPERTIES, name);
            checkCharacters("properties." + name, property.toString());
        });
        return Headers.write(properties);
    }

    private static void checkCharacters(String name, String text) {
        if (StorableValues.hasHalfPair(text)) {
            throw new IllegalArgumentException("The member '" + name + "' has half of a surrogate pair in it");
        }
    }

    private record Properties(String json) {}

    private record Unknown() {}
}
