package dev.waybill.spring.autoconfigure;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/** Names that settings stand below. {@code relay:} with nothing below it is an empty value, which nothing can be bound to. */
final class PropertyGroups {
    private static final List<String> ALL = List.of(
            "waybill",
            "waybill.relay",
            "waybill.destinations",
            "waybill.consumers",
            "waybill.outboxes",
            "waybill.servicebus");

    private static final List<String> WITH_NAMES =
            List.of("waybill.destinations", "waybill.consumers", "waybill.outboxes");

    private PropertyGroups() {}

    /**
     * Refuses a group that has a value itself.
     *
     * @throws InvalidConfigurationPropertyValueException which Boot prints with the place where the value stands
     */
    static void refuseValues(Environment environment) {
        for (String group : ALL) {
            @Nullable String value = environment.getProperty(group);
            if (value != null) {
                throw refused(group, value);
            }
        }
        for (String group : WITH_NAMES) {
            Map<String, Object> named = Binder.get(environment)
                    .bind(group, Bindable.mapOf(String.class, Object.class))
                    .orElse(Map.of());
            named.forEach((name, below) -> {
                if (!(below instanceof Map)) {
                    throw refused(group + "." + name, below);
                }
            });
        }
    }

    private static InvalidConfigurationPropertyValueException refused(String group, Object value) {
        return new InvalidConfigurationPropertyValueException(
                group,
                value,
                "Settings stand below " + group
                        + ", and it has no value of its own. Write them below it, further in, or"
                        + " remove the line.");
    }
}
