package dev.waybill.servicebus.embedded.filter;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message's properties after an action; the message is unchanged. */
public final class EditedProperties implements FilterableMessage {

    private final FilterableMessage message;
    private final Map<SystemProperty, @Nullable Object> systemChanges = new EnumMap<>(SystemProperty.class);
    private final Map<String, @Nullable Object> userProperties;

    EditedProperties(FilterableMessage message) {
        this.message = message;
        this.userProperties = new LinkedHashMap<>(message.userProperties());
    }

    @Override
    public @Nullable Object systemProperty(SystemProperty property) {
        return systemChanges.containsKey(property) ? systemChanges.get(property) : message.systemProperty(property);
    }

    /** Includes unchanged properties, in the message's order. */
    @Override
    public Map<String, @Nullable Object> userProperties() {
        return Collections.unmodifiableMap(userProperties);
    }

    /**
     * Only system properties that the action set, or removed (null). Values are text, {@link java.time.Instant} or {@link
     * java.time.Duration}.
     */
    public Map<SystemProperty, @Nullable Object> systemChanges() {
        return Collections.unmodifiableMap(systemChanges);
    }

    void setSystem(SystemProperty property, @Nullable Object value) {
        systemChanges.put(property, property.accept(Scalar.of(value)));
    }

    void setUser(String name, @Nullable Object value) {
        String spelling = UserProperties.spelling(userProperties, name);
        if (spelling == null) {
            userProperties.put(name, value);
        } else {
            userProperties.put(spelling, NumberConversion.toTypeOf(userProperties.get(spelling), value));
        }
    }

    void removeUser(String name) {
        String spelling = UserProperties.spelling(userProperties, name);
        if (spelling != null) {
            userProperties.remove(spelling);
        }
    }
}
