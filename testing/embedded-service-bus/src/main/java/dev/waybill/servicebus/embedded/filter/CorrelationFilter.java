package dev.waybill.servicebus.embedded.filter;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Selects the messages whose properties equal all the given ones; text minds its case, names of properties do not. */
public final class CorrelationFilter implements RuleFilter {

    private final Map<SystemProperty, String> systemProperties;
    private final Map<String, @Nullable Object> userProperties;

    private CorrelationFilter(Builder builder) {
        this.systemProperties = Collections.unmodifiableMap(new EnumMap<>(builder.systemProperties));
        this.userProperties = Collections.unmodifiableMap(new LinkedHashMap<>(builder.userProperties));
    }

    /** A filter that still lacks the one condition it needs at least. */
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

    /** The conditions on system properties. */
    public Map<SystemProperty, String> systemProperties() {
        return systemProperties;
    }

    /** The conditions on user properties, as given. One whose value is null selects nothing out. */
    public Map<String, @Nullable Object> userProperties() {
        return userProperties;
    }

    @Override
    public String toString() {
        return "CorrelationFilter" + systemProperties + userProperties;
    }

    /**
     * Collects conditions. A null sets none, so that optional fields can be passed on as they are; the name of a user
     * property without a value is kept and told to who reads the rule.
     */
    public static final class Builder {

        private final Map<SystemProperty, String> systemProperties = new EnumMap<>(SystemProperty.class);
        private final Map<String, @Nullable Object> userProperties = new LinkedHashMap<>();

        private Builder() {}

        /** Requires this correlation id. */
        public Builder correlationId(@Nullable String value) {
            return with(SystemProperty.CORRELATION_ID, value);
        }

        /** Requires this message id. */
        public Builder messageId(@Nullable String value) {
            return with(SystemProperty.MESSAGE_ID, value);
        }

        /** Requires this destination. */
        public Builder to(@Nullable String value) {
            return with(SystemProperty.TO, value);
        }

        /** Requires this reply address. */
        public Builder replyTo(@Nullable String value) {
            return with(SystemProperty.REPLY_TO, value);
        }

        /** Requires this label, which newer clients call the subject. */
        public Builder label(@Nullable String value) {
            return with(SystemProperty.LABEL, value);
        }

        /** Requires this session id. */
        public Builder sessionId(@Nullable String value) {
            return with(SystemProperty.SESSION_ID, value);
        }

        /** Requires this session id for replies. */
        public Builder replyToSessionId(@Nullable String value) {
            return with(SystemProperty.REPLY_TO_SESSION_ID, value);
        }

        /** Requires this content type. */
        public Builder contentType(@Nullable String value) {
            return with(SystemProperty.CONTENT_TYPE, value);
        }

        /**
         * Requires a user property of this value; numbers compare by value, other types only with their own.
         *
         * @throws IllegalArgumentException when the value is of a type that compares with nothing
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

        /**
         * The filter.
         *
         * @throws IllegalStateException when it has no condition, for which the true filter exists
         */
        public CorrelationFilter build() {
            if (systemProperties.isEmpty() && userProperties.values().stream().allMatch(Objects::isNull)) {
                throw new IllegalStateException("A correlation filter needs at least one condition");
            }
            return new CorrelationFilter(this);
        }
    }
}
