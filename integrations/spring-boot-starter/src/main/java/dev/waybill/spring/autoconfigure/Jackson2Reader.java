package dev.waybill.spring.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** By Jackson 2. */
final class Jackson2Reader implements JsonReader {
    private final ObjectMapper mapper;

    Jackson2Reader(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public @Nullable Object read(byte[] body, Type type) throws UnreadableBodyException {
        try {
            return mapper.readValue(body, mapper.constructType(type));
        } catch (IOException e) {
            throw new UnreadableBodyException(e);
        }
    }
}
