package dev.waybill.servicebus.embedded.filter;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Recursive descent: sums of products of signed operands. */
final class ExpressionParser {

    private final TokenStream tokens;
    private final Parameters parameters;
    private final Supplier<Node> group;

    // The group parses parentheses, which in a filter may contain a condition.
    ExpressionParser(TokenStream tokens, Parameters parameters, Supplier<Node> group) {
        this.tokens = tokens;
        this.parameters = parameters;
        this.group = group;
    }

    Expression expression() {
        Token first = tokens.peek();
        return requireExpression(sum(), first);
    }

    /** An expression, or a condition in parentheses in its place. */
    Node sum() {
        Token first = tokens.peek();
        Node left = product();
        while (true) {
            Arithmetic operator = switch (tokens.kind()) {
                case PLUS -> Arithmetic.ADD;
                case MINUS -> Arithmetic.SUBTRACT;
                default -> null;
            };
            if (operator == null) {
                return left;
            }
            left = calculation(operator, requireExpression(left, first), this::product);
        }
    }

    private Node product() {
        Token first = tokens.peek();
        Node left = signed();
        while (true) {
            Arithmetic operator = switch (tokens.kind()) {
                case STAR -> Arithmetic.MULTIPLY;
                case SLASH -> Arithmetic.DIVIDE;
                case PERCENT -> Arithmetic.REMAINDER;
                default -> null;
            };
            if (operator == null) {
                return left;
            }
            left = calculation(operator, requireExpression(left, first), this::signed);
        }
    }

    private Node calculation(Arithmetic operator, Expression left, Supplier<Node> operand) {
        tokens.take();
        Token first = tokens.peek();
        return new Expression.Calculation(operator, left, requireExpression(operand.get(), first));
    }

    private Node signed() {
        boolean negative = tokens.kind() == TokenKind.MINUS;
        if (!negative && tokens.kind() != TokenKind.PLUS) {
            return operand();
        }
        tokens.take();
        if (tokens.kind() == TokenKind.INTEGER) {
            return integer(tokens.take(), negative ? "-" : "");
        }
        Token first = tokens.peek();
        return new Expression.Sign(negative, requireExpression(tokens.nested(this::signed), first));
    }

    private Node operand() {
        Token token = tokens.peek();
        return switch (token.kind()) {
            case NAME, DELIMITED_NAME -> isFunction() ? function() : property();
            case OPEN -> group();
            case TEXT -> constant(tokens.take().text());
            case INTEGER -> integer(tokens.take(), "");
            case REAL -> real(tokens.take());
            case PARAMETER -> parameters.constant(tokens.take());
            case TRUE, FALSE -> constant(tokens.take().kind() == TokenKind.TRUE);
            case NULL -> noValue();
            default -> throw tokens.unexpected("a value");
        };
    }

    private Expression noValue() {
        tokens.expect(TokenKind.NULL);
        return constant(null);
    }

    private static Expression constant(@Nullable Object value) {
        return new Expression.Constant(value);
    }

    private Node group() {
        tokens.expect(TokenKind.OPEN);
        Node inner = tokens.nested(group);
        tokens.expect(TokenKind.CLOSE);
        return inner;
    }

    private static Expression integer(Token token, String sign) {
        try {
            return constant(Long.parseLong(sign + token.text()));
        } catch (NumberFormatException e) {
            throw new FilterSyntaxException(
                    "The integer " + sign + token.text() + " does not fit into 64 bits", token.position());
        }
    }

    private static Expression real(Token token) {
        double value = Double.parseDouble(token.text());
        if (Double.isInfinite(value)) {
            throw new FilterSyntaxException("The number " + token.text() + " is too large", token.position());
        }
        return constant(value);
    }

    private boolean isFunction() {
        return tokens.kind() == TokenKind.NAME && tokens.isFollowedBy(TokenKind.OPEN);
    }

    private Expression function() {
        Token name = tokens.take();
        tokens.expect(TokenKind.OPEN);
        Expression call = switch (name.text().toLowerCase(Locale.ROOT)) {
            case "newid" -> new Expression.NewId();
            case "property", "p" -> new Expression.PropertyNamedBy(tokens.nested(this::expression));
            default -> throw new FilterSyntaxException("There is no function " + name.text() + "()", name.position());
        };
        tokens.expect(TokenKind.CLOSE);
        return call;
    }

    PropertyReference property() {
        Token name = name();
        if (!tokens.accept(TokenKind.DOT)) {
            return new PropertyReference.User(name.text());
        }
        boolean regular = name.kind() == TokenKind.NAME;
        if (regular && name.text().equalsIgnoreCase("user")) {
            return new PropertyReference.User(name().text());
        }
        if (regular && name.text().equalsIgnoreCase("sys")) {
            return systemProperty(name().text());
        }
        throw new FilterSyntaxException("The scope of a property is sys or user, not " + name.text(), name.position());
    }

    private static PropertyReference systemProperty(String name) {
        SystemProperty property = SystemProperty.named(name);
        return property == null ? new PropertyReference.NoSuchSys(name) : new PropertyReference.Sys(property);
    }

    private Token name() {
        if (tokens.kind() == TokenKind.NAME || tokens.kind() == TokenKind.DELIMITED_NAME) {
            return tokens.take();
        }
        if (tokens.kind().isKeyword()) {
            Token word = tokens.peek();
            throw new FilterSyntaxException(
                    word.kind() + " is a reserved word; a property of that name is written [" + word.text() + "]",
                    word.position());
        }
        throw tokens.unexpected("a property");
    }

    private static Expression requireExpression(Node node, Token first) {
        if (node instanceof Expression expression) {
            return expression;
        }
        throw new FilterSyntaxException("A condition cannot stand for a value", first.position());
    }
}
