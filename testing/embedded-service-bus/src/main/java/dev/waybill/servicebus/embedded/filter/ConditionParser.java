package dev.waybill.servicebus.embedded.filter;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recursive descent: OR binds weakest, then AND, NOT, comparison, arithmetic. */
final class ConditionParser {

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    ConditionParser(TokenStream tokens, Parameters parameters) {
        this.tokens = tokens;
        this.expressions = new ExpressionParser(tokens, parameters, this::disjunction);
    }

    Condition parse() {
        Condition condition = requireCondition(disjunction());
        if (tokens.kind() != TokenKind.END) {
            throw tokens.unexpected("AND, OR or the end of the expression");
        }
        return condition;
    }

    private Node disjunction() {
        Node left = conjunction();
        while (tokens.kind() == TokenKind.OR) {
            Condition first = requireCondition(left);
            tokens.take();
            left = new Condition.Or(first, requireCondition(conjunction()));
        }
        return left;
    }

    private Node conjunction() {
        Node left = negation();
        while (tokens.kind() == TokenKind.AND) {
            Condition first = requireCondition(left);
            tokens.take();
            left = new Condition.And(first, requireCondition(negation()));
        }
        return left;
    }

    private Node negation() {
        if (tokens.accept(TokenKind.NOT)) {
            return new Condition.Not(requireCondition(tokens.nested(this::negation)));
        }
        return tokens.kind() == TokenKind.EXISTS ? exists() : relation();
    }

    private Condition exists() {
        tokens.expect(TokenKind.EXISTS);
        tokens.expect(TokenKind.OPEN);
        PropertyReference property = expressions.property();
        tokens.expect(TokenKind.CLOSE);
        return new Condition.Exists(property);
    }

    private Node relation() {
        Node left = expressions.sum();
        if (!(left instanceof Expression operand)) {
            return left;
        }
        Comparison comparison = comparison(tokens.kind());
        if (comparison != null) {
            tokens.take();
            return new Condition.Compare(comparison, operand, expressions.expression());
        }
        if (tokens.kind() == TokenKind.IS) {
            return isNull(operand);
        }
        if (tokens.accept(TokenKind.NOT)) {
            return new Condition.Not(membershipOrPattern(operand));
        }
        boolean more = tokens.kind() == TokenKind.IN || tokens.kind() == TokenKind.LIKE;
        return more ? membershipOrPattern(operand) : left;
    }

    private static @Nullable Comparison comparison(TokenKind kind) {
        return switch (kind) {
            case EQUAL -> Comparison.EQUAL;
            case NOT_EQUAL -> Comparison.NOT_EQUAL;
            case LESS -> Comparison.LESS;
            case LESS_OR_EQUAL -> Comparison.LESS_OR_EQUAL;
            case GREATER -> Comparison.GREATER;
            case GREATER_OR_EQUAL -> Comparison.GREATER_OR_EQUAL;
            default -> null;
        };
    }

    private Condition isNull(Expression operand) {
        Token is = tokens.take();
        if (!(operand instanceof PropertyReference property)) {
            throw new FilterSyntaxException("Only a property can be tested with IS NULL", is.position());
        }
        boolean negated = tokens.accept(TokenKind.NOT);
        tokens.expect(TokenKind.NULL);
        Condition isNull = new Condition.IsNull(property);
        return negated ? new Condition.Not(isNull) : isNull;
    }

    private Condition membershipOrPattern(Expression operand) {
        if (tokens.accept(TokenKind.IN)) {
            return new Condition.In(operand, list());
        }
        if (tokens.accept(TokenKind.LIKE)) {
            return like(operand);
        }
        throw tokens.unexpected("LIKE or IN");
    }

    private List<Expression> list() {
        tokens.expect(TokenKind.OPEN);
        List<Expression> list = new ArrayList<>();
        do {
            list.add(expressions.expression());
        } while (tokens.accept(TokenKind.COMMA));
        tokens.expect(TokenKind.CLOSE);
        return List.copyOf(list);
    }

    private Condition like(Expression operand) {
        Token first = tokens.peek();
        Expression pattern = expressions.expression();
        Expression escape = tokens.accept(TokenKind.ESCAPE) ? expressions.expression() : null;
        try {
            return new Like(operand, pattern, escape).compiled();
        } catch (FilterEvaluationException e) {
            throw new FilterSyntaxException(e, first.position());
        }
    }

    private Condition requireCondition(Node node) {
        if (node instanceof Condition condition) {
            return condition;
        }
        throw tokens.unexpected("a comparison, LIKE, IN or IS NULL");
    }
}
