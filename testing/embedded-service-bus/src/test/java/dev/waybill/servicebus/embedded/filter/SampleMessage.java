package dev.waybill.servicebus.embedded.filter;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message made of the properties a test names. */
final class SampleMessage implements FilterableMessage {

    private final Map<SystemProperty, @Nullable Object> system = new EnumMap<>(SystemProperty.class);
    private final Map<String, @Nullable Object> user = new LinkedHashMap<>();

    static SampleMessage empty() {
        return new SampleMessage();
    }

    static SampleMessage with(String name, @Nullable Object value) {
        return empty().and(name, value);
    }

    static SampleMessage with(SystemProperty property, @Nullable Object value) {
        return empty().and(property, value);
    }

    SampleMessage and(String name, @Nullable Object value) {
        user.put(name, value);
        return this;
    }

    SampleMessage and(SystemProperty property, @Nullable Object value) {
        system.put(property, value);
        return this;
    }

    @Override
    public @Nullable Object systemProperty(SystemProperty property) {
        return system.get(property);
    }

    @Override
    public Map<String, @Nullable Object> userProperties() {
        return user;
    }

    boolean passes(String expression) {
        return SqlFilter.parse(expression).matches(this);
    }

    /** Tells false from unknown, which select alike, by what their negation selects. */
    Truth truthOf(String expression) {
        return truthOf(expression, Map.of());
    }

    Truth truthOf(String expression, Map<String, ? extends @Nullable Object> parameters) {
        if (SqlFilter.parse(expression, parameters).matches(this)) {
            return Truth.TRUE;
        }
        return SqlFilter.parse("NOT (" + expression + ")", parameters).matches(this) ? Truth.FALSE : Truth.UNKNOWN;
    }

    /** The value of an expression, observed through the property that an action sets to it. */
    @Nullable Object valueOf(String expression) {
        return SqlAction.parse("SET result = " + expression)
                .apply(this)
                .userProperties()
                .get("result");
    }
}
