package dev.waybill.spring.autoconfigure;

import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;

/** By Jackson 3. */
final class Jackson3Reader implements JsonReader {
    private final SingletonSupplier<ObjectMapper> mapper;

    Jackson3Reader(Supplier<ObjectMapper> mapper) {
        this.mapper = SingletonSupplier.of(mapper);
    }

    @Override
    public void check() {
        var unused = mapper.obtain();
    }

    @Override
    public @Nullable Object read(byte[] body, Type type) throws UnreadableBodyException {
        try {
            ObjectMapper found = mapper.obtain();
            return found.readValue(body, found.constructType(type));
        } catch (JacksonException e) {
            throw new UnreadableBodyException(e);
        }
    }
}
