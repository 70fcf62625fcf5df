package dev.waybill.spring.bodies;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.BodyText;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.spring.BodyConverter;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;

/** JSON by Jackson 3. */
final class Jackson3Bodies implements BodyConverter {
    private final ObjectMapper mapper;

    Jackson3Bodies(ObjectMapper mapper) {
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
        } catch (JacksonException e) {
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
        } catch (JacksonException e) {
            throw new UnreadableBodyException(String.valueOf(e.getMessage()), e);
        }
    }
}
