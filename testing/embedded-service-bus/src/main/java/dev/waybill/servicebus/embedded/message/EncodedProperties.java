package dev.waybill.servicebus.embedded.message;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;

/** Encoded application properties, decoded on demand. Thread-safe. */
public final class EncodedProperties implements Supplier<Map<String, Object>> {
    private static final EncodedProperties EMPTY = new EncodedProperties(new byte[0]);

    private final byte[] section;

    private EncodedProperties(byte[] section) {
        this.section = section;
    }

    static EncodedProperties copyOf(byte[] bytes, int start, int end) {
        return start == end ? EMPTY : new EncodedProperties(Arrays.copyOfRange(bytes, start, end));
    }

    @Override
    public Map<String, Object> get() {
        return BrokerMessage.decodeProperties(section, 0, section.length);
    }
}
