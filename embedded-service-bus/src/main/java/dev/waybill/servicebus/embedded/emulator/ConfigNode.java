package dev.waybill.servicebus.embedded.emulator;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An object of the file, which knows where it stands and what has been read of it. */
final class ConfigNode {
    private static final Pattern YEARS_AND_MONTHS =
            Pattern.compile("P(?=\\d+[YM])(?:(?<years>\\d+)Y)?(?:(?<months>\\d+)M)?(?<rest>.*)");

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
        return value == null ? null : (Integer) Math.toIntExact((Long) value);
    }

    @Nullable Duration duration(String key) {
        String value = text(key);
        try {
            return value == null ? null : parsed(value);
        } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
            throw new ConfigException(place + "." + key + " is no ISO 8601 duration: " + value, e);
        }
    }

    // The emulator's schema allows years and months, which .NET takes for 365 and 30 days (dotnet/runtime,
    // XsdDuration).
    private static Duration parsed(String value) {
        Matcher parts = YEARS_AND_MONTHS.matcher(value);
        if (!parts.matches()) {
            return Duration.parse(value);
        }
        String rest = parts.group("rest");
        return rest.isEmpty() ? days(parts) : days(parts).plus(Duration.parse("P" + rest));
    }

    private static Duration days(Matcher parts) {
        return Duration.ofDays(Math.addExact(
                Math.multiplyExact(365L, whole(parts.group("years"))),
                Math.multiplyExact(30L, whole(parts.group("months")))));
    }

    private static long whole(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
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
