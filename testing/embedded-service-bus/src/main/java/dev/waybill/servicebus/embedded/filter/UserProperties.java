package dev.waybill.servicebus.embedded.filter;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds names without regard to case, without allocation. */
final class UserProperties {

    private UserProperties() {}

    static @Nullable Object value(Map<String, ? extends @Nullable Object> properties, String name) {
        Object exact = properties.get(name);
        if (exact != null) {
            return exact;
        }
        String spelling = spelling(properties, name);
        return spelling == null ? null : properties.get(spelling);
    }

    static @Nullable String spelling(Map<String, ? extends @Nullable Object> properties, String name) {
        if (properties.containsKey(name)) {
            return name;
        }
        for (String candidate : properties.keySet()) {
            if (candidate.equalsIgnoreCase(name)) {
                return candidate;
            }
        }
        return null;
    }
}
