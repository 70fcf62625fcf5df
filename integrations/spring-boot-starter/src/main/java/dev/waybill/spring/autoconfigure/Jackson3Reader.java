package dev.waybill.spring.autoconfigure;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;

/** By Jackson 3. */
final class Jackson3Reader implements JsonReader {
    private final ObjectMapper mapper;

    Jackson3Reader(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public @Nullable Object read(byte[] body, Type type) throws UnreadableBodyException {
        try {
            return mapper.readValue(body, mapper.constructType(type));
        } catch (JacksonException e) {
            throw new UnreadableBodyException(e);
        }
    }
}
