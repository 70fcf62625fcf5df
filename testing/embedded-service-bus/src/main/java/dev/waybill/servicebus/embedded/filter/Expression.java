package dev.waybill.servicebus.embedded.filter;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A part of a rule with a value; null for no value. */
non-sealed interface Expression extends Node {

    /** A value of a type of {@link Scalar#of}. */
    @Nullable Object value(FilterableMessage message);

    /** The value as the message carries it, so that SET copies a property without widening its type. */
    default @Nullable Object original(FilterableMessage message) {
        return value(message);
    }

    record Constant(@Nullable Object constant) implements Expression {
        @Override
        public @Nullable Object value(FilterableMessage message) {
            return constant;
        }
    }

    record Calculation(Arithmetic operator, Expression left, Expression right) implements Expression {
        @Override
        public @Nullable Object value(FilterableMessage message) {
            return operator.apply(left.value(message), right.value(message));
        }
    }

    record Sign(boolean negative, Expression operand) implements Expression {
        @Override
        public @Nullable Object value(FilterableMessage message) {
            return Signs.signed(negative, operand.value(message));
        }
    }

    record NewId() implements Expression {
        @Override
        public Object value(FilterableMessage message) {
            return UUID.randomUUID();
        }
    }

    record PropertyNamedBy(Expression name) implements Expression {
        @Override
        public @Nullable Object value(FilterableMessage message) {
            return Scalar.of(original(message));
        }

        @Override
        public @Nullable Object original(FilterableMessage message) {
            Object key = name.value(message);
            if (key == null) {
                return null;
            }
            if (key instanceof String text) {
                return UserProperties.value(message.userProperties(), text);
            }
            throw new FilterEvaluationException("property() takes a name as text, not " + Scalar.typeName(key));
        }
    }
}
