package dev.waybill.spring.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/** By Jackson 2. */
final class Jackson2Reader implements JsonReader {
    private final SingletonSupplier<ObjectMapper> mapper;

    Jackson2Reader(Supplier<ObjectMapper> mapper) {
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
        } catch (IOException e) {
            throw new UnreadableBodyException(e);
        }
    }
}
