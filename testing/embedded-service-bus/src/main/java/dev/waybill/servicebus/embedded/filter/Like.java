package dev.waybill.servicebus.embedded.filter;

import org.jspecify.annotations.Nullable;

/** LIKE with a pattern that depends on the message. */
record Like(
        Expression operand, Expression pattern, @Nullable Expression escape) implements Condition {

    /** LIKE with a constant pattern. */
    record Compiled(Expression operand, LikePattern pattern) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            return Like.test(operand.value(message), pattern);
        }
    }

    @Override
    public Truth test(FilterableMessage message) {
        Object text = operand.value(message);
        Object patternValue = pattern.value(message);
        if (text == null || patternValue == null) {
            return Truth.UNKNOWN;
        }
        if (escape == null) {
            return test(text, LikePattern.of(patternValue, null));
        }
        Object escapeValue = escape.value(message);
        return escapeValue == null ? Truth.UNKNOWN : test(text, LikePattern.of(patternValue, escapeValue));
    }

    private static Truth test(@Nullable Object value, LikePattern pattern) {
        return value instanceof String text ? Truth.of(pattern.matches(text)) : Truth.UNKNOWN;
    }

    Condition compiled() {
        if (!(pattern instanceof Expression.Constant constant) || constant.constant() == null) {
            return this;
        }
        if (escape == null) {
            return new Compiled(operand, LikePattern.of(constant.constant(), null));
        }
        return escape instanceof Expression.Constant character && character.constant() != null
                ? new Compiled(operand, LikePattern.of(constant.constant(), character.constant()))
                : this;
    }
}
