package dev.waybill.inbox.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.UnreadableBodyException;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Reads bodies with Jackson. Immutable and thread-safe. */
public final class JsonBodies {
    private final ObjectMapper mapper;

    private JsonBodies(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** The mapper must not be configured any more. */
    public static JsonBodies with(ObjectMapper mapper) {
        return new JsonBodies(mapper);
    }

    /** A handler that gets the body as a {@code type}. An unreadable body fails the message at once. */
    public <T> Handler as(Class<T> type, JsonHandler<T> handler) {
        // Several values in one body are several facts: the first is not handled alone.
        ObjectReader reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        return (tx, message) -> read(reader, type, tx, message, handler);
    }

    private static <T> Verdict read(
            ObjectReader reader, Class<T> type, DSLContext tx, InboundMessage message, JsonHandler<T> handler)
            throws Exception {
        @Nullable T body;
        try {
            body = type.cast(reader.readValue(message.text()));
        } catch (UnreadableBodyException | JsonProcessingException e) {
            return Verdict.deadLetter(e.getClass().getName(), String.valueOf(e.getMessage()));
        }
        return body == null
                ? Verdict.deadLetter("EmptyBody", "The body is JSON null instead of a " + type.getName())
                : handler.handle(tx, message, body);
    }
}
