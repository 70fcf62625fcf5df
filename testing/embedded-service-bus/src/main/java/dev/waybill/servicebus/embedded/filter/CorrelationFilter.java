package dev.waybill.servicebus.embedded.filter;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Selects messages whose properties equal all the given ones; text is case-sensitive, property names are not. */
public final class CorrelationFilter implements RuleFilter {

    private final Map<SystemProperty, String> systemProperties;
    private final Map<String, @Nullable Object> userProperties;

    private CorrelationFilter(Builder builder) {
        this.systemProperties = Collections.unmodifiableMap(new EnumMap<>(builder.systemProperties));
        this.userProperties = Collections.unmodifiableMap(new LinkedHashMap<>(builder.userProperties));
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public boolean matches(FilterableMessage message) {
        for (Map.Entry<SystemProperty, String> condition : systemProperties.entrySet()) {
            if (!equal(message.systemProperty(condition.getKey()), condition.getValue())) {
                return false;
            }
        }
        for (Map.Entry<String, @Nullable Object> condition : userProperties.entrySet()) {
            Object expected = condition.getValue();
            if (expected == null) {
                continue;
            }
            Object value = UserProperties.value(message.userProperties(), condition.getKey());
            if (!equal(value, expected)) {
                return false;
            }
        }
        return true;
    }

    private static boolean equal(@Nullable Object actual, Object expected) {
        return Comparison.EQUAL.test(Scalar.of(actual), Scalar.of(expected)) == Truth.TRUE;
    }

    public Map<SystemProperty, String> systemProperties() {
        return systemProperties;
    }

    /** As given. A null value matches every message. */
    public Map<String, @Nullable Object> userProperties() {
        return userProperties;
    }

    @Override
    public String toString() {
        return "CorrelationFilter" + systemProperties + userProperties;
    }

    /**
     * Collects conditions. A null sets none, so that optional fields pass through; a user property without a value is kept for readers
     * of the rule.
     */
    public static final class Builder {

        private final Map<SystemProperty, String> systemProperties = new EnumMap<>(SystemProperty.class);
        private final Map<String, @Nullable Object> userProperties = new LinkedHashMap<>();

        private Builder() {}

        public Builder correlationId(@Nullable String value) {
            return with(SystemProperty.CORRELATION_ID, value);
        }

        public Builder messageId(@Nullable String value) {
            return with(SystemProperty.MESSAGE_ID, value);
        }

        public Builder to(@Nullable String value) {
            return with(SystemProperty.TO, value);
        }

        public Builder replyTo(@Nullable String value) {
            return with(SystemProperty.REPLY_TO, value);
        }

        /** The label; newer clients call it the subject. */
        public Builder label(@Nullable String value) {
            return with(SystemProperty.LABEL, value);
        }

        public Builder sessionId(@Nullable String value) {
            return with(SystemProperty.SESSION_ID, value);
        }

        public Builder replyToSessionId(@Nullable String value) {
            return with(SystemProperty.REPLY_TO_SESSION_ID, value);
        }

        public Builder contentType(@Nullable String value) {
            return with(SystemProperty.CONTENT_TYPE, value);
        }

        /**
         * Requires a user property; numbers compare by value, other types only with their own.
         *
         * @throws IllegalArgumentException if the value's type compares with nothing
         */
        public Builder property(String name, @Nullable Object value) {
            Object scalar = Scalar.of(value);
            if (scalar != null && !Scalar.isKnownType(scalar)) {
                throw new IllegalArgumentException(
                        "Property '" + name + "' cannot be compared with " + Scalar.typeName(scalar));
            }
            userProperties.put(Objects.requireNonNull(name, "name"), value);
            return this;
        }

        private Builder with(SystemProperty property, @Nullable String value) {
            if (value != null) {
                systemProperties.put(property, value);
            }
            return this;
        }

        /** Throws {@code IllegalStateException} without a condition; use the true filter. */
        public CorrelationFilter build() {
            if (systemProperties.isEmpty() && userProperties.values().stream().allMatch(Objects::isNull)) {
                throw new IllegalStateException("A correlation filter needs at least one condition");
            }
            return new CorrelationFilter(this);
        }
    }
}
