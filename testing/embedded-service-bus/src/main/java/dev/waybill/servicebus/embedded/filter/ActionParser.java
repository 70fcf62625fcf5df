package dev.waybill.servicebus.embedded.filter;

import java.util.ArrayList;
import java.util.List;

final class ActionParser {

    static final int MAX_STATEMENTS = 32;

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    ActionParser(TokenStream tokens, Parameters parameters) {
        this.tokens = tokens;
        this.expressions = new ExpressionParser(tokens, parameters, this::group);
    }

    private Node group() {
        return expressions.expression();
    }

    List<Statement> parse() {
        List<Statement> statements = new ArrayList<>();
        do {
            if (statements.size() == MAX_STATEMENTS) {
                throw new FilterSyntaxException(
                        "More than " + MAX_STATEMENTS + " statements",
                        tokens.peek().position());
            }
            statements.add(statement());
            tokens.accept(TokenKind.SEMICOLON);
        } while (tokens.kind() != TokenKind.END);
        return List.copyOf(statements);
    }

    private Statement statement() {
        if (tokens.accept(TokenKind.SET)) {
            PropertyReference target = target();
            tokens.expect(TokenKind.EQUAL);
            return new Statement.Assign(target, expressions.expression());
        }
        if (tokens.accept(TokenKind.REMOVE)) {
            return new Statement.Remove(target());
        }
        throw tokens.unexpected("SET or REMOVE");
    }

    private PropertyReference target() {
        Token first = tokens.peek();
        PropertyReference target = expressions.property();
        if (target instanceof PropertyReference.Sys sys && !sys.property().isSettable()) {
            throw new FilterSyntaxException(
                    "sys." + sys.property().propertyName() + " cannot be changed by an action", first.position());
        }
        return target;
    }
}
