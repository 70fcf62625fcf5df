package dev.waybill.servicebus.embedded.filter;

import java.util.List;

non-sealed interface Condition extends Node {

    Truth test(FilterableMessage message);

    record And(Condition left, Condition right) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            Truth first = left.test(message);
            return first == Truth.FALSE ? first : first.and(right.test(message));
        }
    }

    record Or(Condition left, Condition right) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            Truth first = left.test(message);
            return first == Truth.TRUE ? first : first.or(right.test(message));
        }
    }

    record Not(Condition operand) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            return operand.test(message).not();
        }
    }

    record Compare(Comparison operator, Expression left, Expression right) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            return operator.test(left.value(message), right.value(message));
        }
    }

    record In(Expression operand, List<Expression> list) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            Object value = operand.value(message);
            if (value == null) {
                return Truth.UNKNOWN;
            }
            for (Expression candidate : list) {
                if (Comparison.EQUAL.test(value, candidate.value(message)) == Truth.TRUE) {
                    return Truth.TRUE;
                }
            }
            return Truth.FALSE;
        }
    }

    record IsNull(PropertyReference property) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            return Truth.of(property.original(message) == null);
        }
    }

    record Exists(PropertyReference property) implements Condition {
        @Override
        public Truth test(FilterableMessage message) {
            return Truth.of(property.exists(message));
        }
    }
}
