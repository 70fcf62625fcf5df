package dev.waybill.spring.bodies;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.spring.BodyConverter;
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
        Class<?> type = MessageTypes.of(object);
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
        // Several values in one body are several facts: the first is not handled alone.
        ObjectReader reader =
                mapper.readerFor(mapper.constructType(type)).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        if (MessageTypes.isCloudEvent(message)) {
            // Its data is one level below: all fields of an object would be unknown, and the object empty.
            reader = reader.with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        }
        try {
            // Of bytes, Jackson would read overlong forms and halves of pairs as characters.
            return reader.readValue(message.text());
        } catch (JsonProcessingException e) {
            throw new UnreadableBodyException(String.valueOf(e.getMessage()), e);
        }
    }
}
