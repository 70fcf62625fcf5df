package dev.waybill.servicebus.embedded.filter;

import java.util.List;
import java.util.function.Supplier;

/** The parsers' position and nesting depth. */
final class TokenStream {

    /** Parsing and evaluation recurse per level; this protects any thread's stack. */
    static final int MAX_NESTING = 100;

    private final List<Token> tokens;
    private int next;
    private int nesting;

    TokenStream(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(next);
    }

    TokenKind kind() {
        return peek().kind();
    }

    boolean isFollowedBy(TokenKind kind) {
        return next + 1 < tokens.size() && tokens.get(next + 1).kind() == kind;
    }

    /** Never consumes the END token, so there always is a next token. */
    Token take() {
        Token token = peek();
        if (token.kind() != TokenKind.END) {
            next++;
        }
        return token;
    }

    boolean accept(TokenKind kind) {
        if (kind() != kind) {
            return false;
        }
        take();
        return true;
    }

    void expect(TokenKind kind) {
        if (!accept(kind)) {
            throw unexpected(kind.toString());
        }
    }

    <T> T nested(Supplier<T> inner) {
        if (++nesting > MAX_NESTING) {
            throw new FilterSyntaxException("More than " + MAX_NESTING + " levels of nesting", peek().position());
        }
        T result = inner.get();
        nesting--;
        return result;
    }

    FilterSyntaxException unexpected(String wanted) {
        return new FilterSyntaxException("Expected " + wanted + " but found " + peek().described(), peek().position());
    }
}
