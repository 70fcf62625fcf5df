package dev.waybill.walletforge.installation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** Records as JSON, read without leniency: one record alone, each component is there, and a number is a number. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static String write(Object record) {
        try {
            return MAPPER.writeValueAsString(record);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a record, or says by an {@link IllegalArgumentException} what is wrong. */
    public static <T> T read(byte[] json, Class<T> type) {
        try {
            return Optional.ofNullable(MAPPER.readValue(json, type))
                    .orElseThrow(() -> new IllegalArgumentException("null"));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the text if it has 1 to so many characters, none of them a control or replacement character. */
    public static String checked(String name, String text, int most) {
        if (text.isBlank() || text.length() > most || !text.matches("[^\\p{Cc}\\x{FFFD}]+")) {
            throw new IllegalArgumentException(name + " must have 1 to " + most + " characters");
        }
        return text;
    }

    /** Reads a time such as {@code 2026-12-01T08:00:00Z}, of a year that PostgreSQL stores too. */
    public static Instant time(String text) {
        if (!text.matches("[1-9]\\d{3}-.+")) {
            throw new DateTimeException("A time is like 2026-12-01T08:00:00Z, not " + text);
        }
        return Instant.parse(text);
    }
}
