package dev.waybill.spring.bodies;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.BodyText;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.spring.BodyConverter;
import java.io.IOException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2. */
final class Jackson2Bodies implements BodyConverter {
    private final ObjectMapper mapper;

    Jackson2Bodies(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Written write(Object object) {
        Class<?> type = object.getClass();
        try {
            return new Written(
                    mapper.writeValueAsBytes(object),
                    "application/json",
                    MessageTypes.subject(type),
                    MessageTypes.headers(type));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "A " + type.getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    @Override
    public @Nullable Object read(InboundMessage message, Type type) {
        byte[] body = message.body();
        // Several values in one body are several facts: the first is not handled alone.
        ObjectReader reader =
                mapper.readerFor(mapper.constructType(type)).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        try {
            return BodyText.isUtf8(body, message.contentType().orElse(null))
                    ? reader.readValue(body)
                    : reader.readValue(message.text());
        } catch (IOException e) {
            throw new UnreadableBodyException(String.valueOf(e.getMessage()), e);
        }
    }
}
