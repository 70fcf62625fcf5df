package dev.waybill.servicebus.embedded.emulator;

import dev.waybill.servicebus.embedded.config.XmlDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object of the file, which knows where it stands and what has been read of it. */
final class ConfigNode {

    private final String place;
    private final Map<?, ?> values;
    private final Set<String> read = new HashSet<>();

    private ConfigNode(String place, Map<?, ?> values) {
        this.place = place;
        this.values = values;
    }

    static ConfigNode of(String place, @Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            return new ConfigNode(place, object);
        }
        throw new ConfigException(place + " is no object");
    }

    private @Nullable Object get(String key) {
        read.add(key);
        return values.get(key);
    }

    private ConfigException wrong(String key, String problem, Object value) {
        return new ConfigException(place + "." + key + " is no " + problem + ": " + value);
    }

    /** The object of that name, or null. */
    @Nullable ConfigNode object(String key) {
        Object value = get(key);
        return value == null ? null : of(place + "." + key, value);
    }

    /** The objects of the list of that name; none if there is no list. */
    List<ConfigNode> list(String key) {
        Object value = get(key);
        List<ConfigNode> nodes = new ArrayList<>();
        if (value instanceof List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                nodes.add(of(place + "." + key + "[" + i + "]", items.get(i)));
            }
        } else if (value != null) {
            throw wrong(key, "list", value);
        }
        return nodes;
    }

    String requiredText(String key) {
        String value = text(key);
        if (value == null) {
            throw new ConfigException(place + "." + key + " is missing");
        }
        return value;
    }

    /** The text of that name, or null if it is missing or empty. */
    @Nullable String text(String key) {
        Object value = get(key);
        if (value != null && !(value instanceof String)) {
            throw wrong(key, "text", value);
        }
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }

    boolean flag(String key) {
        Object value = get(key);
        if (value != null && !(value instanceof Boolean)) {
            throw wrong(key, "truth value", value);
        }
        return Boolean.TRUE.equals(value);
    }

    @Nullable Integer number(String key) {
        Object value = get(key);
        if (value != null && !(value instanceof Long)) {
            throw wrong(key, "whole number", value);
        }
        if (value instanceof Long number && number != number.intValue()) {
            throw new ConfigException(place + "." + key + " is beyond all limits: " + value);
        }
        return value == null ? null : (Integer) ((Long) value).intValue();
    }

    @Nullable Duration duration(String key) {
        String value = text(key);
        try {
            return value == null ? null : XmlDuration.parse(value);
        } catch (DateTimeException | ArithmeticException e) {
            throw new ConfigException(place + "." + key + " is no ISO 8601 duration: " + value, e);
        }
    }

    /** All values as they are, for names that the user chooses. */
    Map<?, ?> values() {
        values.keySet().forEach(key -> read.add(String.valueOf(key)));
        return values;
    }

    String place() {
        return place;
    }

    /** Everything of interest has been read: whatever else there is, is a mistake. */
    void finished() {
        for (Object key : values.keySet()) {
            if (!read.contains(String.valueOf(key))) {
                throw new ConfigException(place + "." + key + " is not known");
            }
        }
    }
}
