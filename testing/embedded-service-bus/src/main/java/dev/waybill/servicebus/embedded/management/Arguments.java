package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.Timestamps;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.jspecify.annotations.Nullable;

/** The map in a request's body; values are validated on access. */
final class Arguments {
    private final Map<?, ?> map;

    Arguments(@Nullable Object body) {
        this.map = body instanceof Map<?, ?> given ? given : Map.of();
    }

    boolean has(String key) {
        return map.get(key) != null;
    }

    @Nullable String text(String key) {
        Object value = map.get(key);
        return value == null ? null : value.toString();
    }

    String requiredText(String key) {
        return required(key, String.class);
    }

    long number(String key) {
        return required(key, Number.class).longValue();
    }

    int count(String key, int otherwise) {
        return map.get(key) instanceof Number number
                ? (int) Math.min(number.longValue(), Integer.MAX_VALUE)
                : otherwise;
    }

    /** Rejects negative numbers. */
    int page(String key, int otherwise) {
        int count = count(key, otherwise);
        if (count < 0) {
            throw new Refused(BrokerError.ARGUMENT_ERROR, "The argument '" + key + "' is less than 0: " + count);
        }
        return count;
    }

    /** Epoch milliseconds, or null. */
    @Nullable Long moment(String key) {
        return Timestamps.millis(map.get(key));
    }

    byte @Nullable [] bytes(String key) {
        return map.get(key) == null ? null : copyOf(required(key, Binary.class));
    }

    byte[] requiredBytes(String key) {
        return copyOf(required(key, Binary.class));
    }

    private static byte[] copyOf(Binary binary) {
        byte[] copy = new byte[binary.getLength()];
        System.arraycopy(binary.getArray(), binary.getArrayOffset(), copy, 0, copy.length);
        return copy;
    }

    List<Long> numbers(String key) {
        return elements(key, Number.class).stream().map(Number::longValue).toList();
    }

    List<Long> distinctNumbers(String key) {
        return numbers(key).stream().distinct().toList();
    }

    /** In order. */
    Set<UUID> distinctTokens(String key) {
        return new LinkedHashSet<>(tokens(key));
    }

    List<UUID> tokens(String key) {
        return elements(key, UUID.class);
    }

    /** Empty if the map is missing. */
    Arguments map(String key) {
        return new Arguments(map.get(key));
    }

    List<Arguments> maps(String key) {
        return elements(key, Map.class).stream().map(Arguments::new).toList();
    }

    Map<String, Object> properties(String key) {
        Map<String, Object> copy = new HashMap<>();
        nullableProperties(key).forEach((name, value) -> {
            if (value != null) {
                copy.put(name, value);
            }
        });
        return copy;
    }

    /** {@link #properties} including those without a value. */
    Map<String, @Nullable Object> nullableProperties(String key) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        if (map.get(key) instanceof Map<?, ?> properties) {
            properties.forEach((name, value) -> copy.put(String.valueOf(name), value));
        }
        return copy;
    }

    /** Accepts a list, or an array of objects or primitives. */
    private <T> List<T> elements(String key, Class<T> type) {
        Object value = map.get(key);
        List<T> result = new ArrayList<>();
        if (value instanceof Iterable<?> list) {
            list.forEach(element -> result.add(cast(key, element, type)));
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                result.add(cast(key, Array.get(value, i), type));
            }
        } else {
            throw missing(key);
        }
        return result;
    }

    private <T> T required(String key, Class<T> type) {
        Object value = map.get(key);
        if (value == null) {
            throw missing(key);
        }
        return cast(key, value, type);
    }

    private static <T> T cast(String key, @Nullable Object value, Class<T> type) {
        if (!type.isInstance(value)) {
            throw new Refused(BrokerError.ARGUMENT_ERROR, "The argument '" + key + "' is no " + type.getSimpleName());
        }
        return type.cast(value);
    }

    private static Refused missing(String key) {
        return new Refused(BrokerError.ARGUMENT_ERROR, "The argument '" + key + "' is missing.");
    }
}
