package dev.waybill.servicebus.embedded.filter;

import org.jspecify.annotations.Nullable;

/** A property in an expression. */
interface PropertyReference extends Expression {

    boolean exists(FilterableMessage message);

    void set(EditedProperties properties, @Nullable Object value);

    void remove(EditedProperties properties);

    @Override
    default @Nullable Object value(FilterableMessage message) {
        return Scalar.of(original(message));
    }

    record User(String name) implements PropertyReference {
        @Override
        public @Nullable Object original(FilterableMessage message) {
            return UserProperties.value(message.userProperties(), name);
        }

        @Override
        public boolean exists(FilterableMessage message) {
            return UserProperties.spelling(message.userProperties(), name) != null;
        }

        @Override
        public void set(EditedProperties properties, @Nullable Object value) {
            properties.setUser(name, value);
        }

        @Override
        public void remove(EditedProperties properties) {
            properties.removeUser(name);
        }
    }

    record Sys(SystemProperty property) implements PropertyReference {
        @Override
        public @Nullable Object original(FilterableMessage message) {
            return message.systemProperty(property);
        }

        @Override
        public boolean exists(FilterableMessage message) {
            return message.systemProperty(property) != null;
        }

        @Override
        public void set(EditedProperties properties, @Nullable Object value) {
            properties.setSystem(property, value);
        }

        @Override
        public void remove(EditedProperties properties) {
            properties.setSystem(property, null);
        }
    }

    /** Service Bus accepts a rule with an unknown system property, and fails on every message. */
    record NoSuchSys(String name) implements PropertyReference {
        @Override
        public @Nullable Object original(FilterableMessage message) {
            throw error();
        }

        @Override
        public boolean exists(FilterableMessage message) {
            throw error();
        }

        @Override
        public void set(EditedProperties properties, @Nullable Object value) {
            throw error();
        }

        @Override
        public void remove(EditedProperties properties) {
            throw error();
        }

        private FilterEvaluationException error() {
            return new FilterEvaluationException("There is no system property sys." + name);
        }
    }
}
