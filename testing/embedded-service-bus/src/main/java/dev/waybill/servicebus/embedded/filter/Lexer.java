package dev.waybill.servicebus.embedded.filter;

import java.util.ArrayList;
import java.util.List;

final class Lexer {

    static final int MAX_LENGTH = 1_024;

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String source) {
        this.source = source;
    }

    static List<Token> scan(String source) {
        if (source.length() > MAX_LENGTH) {
            throw new FilterSyntaxException("The expression is longer than " + MAX_LENGTH + " characters", MAX_LENGTH);
        }
        return new Lexer(source).scan();
    }

    private List<Token> scan() {
        while (true) {
            while (Character.isWhitespace(current())) {
                at++;
            }
            if (at >= source.length()) {
                tokens.add(new Token(TokenKind.END, "", source.length()));
                return tokens;
            }
            tokens.add(next());
        }
    }

    private Token next() {
        char c = current();
        if (Character.isLetter(c)) {
            return word();
        }
        if (isDigit(c)) {
            return number();
        }
        return switch (c) {
            case '\'' -> quoted(TokenKind.TEXT, '\'');
            case '"' -> name('"');
            case '[' -> name(']');
            case '@' -> parameter();
            default -> operator(c);
        };
    }

    private Token word() {
        int start = at;
        String text = letters();
        TokenKind keyword = TokenKind.keyword(text);
        return new Token(keyword == null ? TokenKind.NAME : keyword, text, start);
    }

    private String letters() {
        int start = at;
        while (isWordPart(current())) {
            at++;
        }
        return source.substring(start, at);
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    private Token parameter() {
        int start = at++;
        if (!Character.isLetter(current()) && current() != '_') {
            throw new FilterSyntaxException("A parameter needs a name after '@'", start);
        }
        return new Token(TokenKind.PARAMETER, letters(), start);
    }

    private Token name(char close) {
        Token name = quoted(TokenKind.DELIMITED_NAME, close);
        if (name.text().isEmpty()) {
            throw new FilterSyntaxException("A name cannot be empty", name.position());
        }
        return name;
    }

    private Token quoted(TokenKind kind, char close) {
        int start = at++;
        StringBuilder text = new StringBuilder();
        while (at < source.length()) {
            char c = source.charAt(at++);
            if (c != close) {
                text.append(c);
            } else if (current() == close) {
                text.append(c);
                at++;
            } else {
                return new Token(kind, text.toString(), start);
            }
        }
        throw new FilterSyntaxException("Nothing closes the quoted " + (close == '\'' ? "text" : "name"), start);
    }

    private Token number() {
        int start = at;
        TokenKind kind = TokenKind.INTEGER;
        digits();
        if (current() == '.') {
            at++;
            kind = TokenKind.REAL;
            requireDigits(start);
        }
        if (current() == 'e' || current() == 'E') {
            at++;
            kind = TokenKind.REAL;
            if (current() == '+' || current() == '-') {
                at++;
            }
            requireDigits(start);
        }
        if (isWordPart(current())) {
            throw new FilterSyntaxException("A number cannot run into a word", start);
        }
        return new Token(kind, source.substring(start, at), start);
    }

    private void requireDigits(int start) {
        if (digits() == 0) {
            throw new FilterSyntaxException("A number needs digits after '" + source.substring(start, at) + "'", start);
        }
    }

    /** Only ASCII digits, unlike names, which accept digits of every script. */
    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private int digits() {
        int start = at;
        while (isDigit(current())) {
            at++;
        }
        return at - start;
    }

    private Token operator(char c) {
        int start = at++;
        TokenKind kind = switch (c) {
            case '=' -> TokenKind.EQUAL;
            case '<' -> lessOrUnequal();
            case '>' -> followedBy('=', TokenKind.GREATER_OR_EQUAL, TokenKind.GREATER);
            case '!' -> followedBy('=', TokenKind.NOT_EQUAL, TokenKind.END);
            case '+' -> TokenKind.PLUS;
            case '-' -> TokenKind.MINUS;
            case '*' -> TokenKind.STAR;
            case '/' -> TokenKind.SLASH;
            case '%' -> TokenKind.PERCENT;
            case '(' -> TokenKind.OPEN;
            case ')' -> TokenKind.CLOSE;
            case ',' -> TokenKind.COMMA;
            case '.' -> TokenKind.DOT;
            case ';' -> TokenKind.SEMICOLON;
            default -> TokenKind.END;
        };
        if (kind == TokenKind.END) {
            throw new FilterSyntaxException("Unexpected character '" + c + "'", start);
        }
        return new Token(kind, source.substring(start, at), start);
    }

    private TokenKind lessOrUnequal() {
        TokenKind kind = followedBy('>', TokenKind.NOT_EQUAL, TokenKind.LESS);
        return kind == TokenKind.LESS ? followedBy('=', TokenKind.LESS_OR_EQUAL, TokenKind.LESS) : kind;
    }

    private TokenKind followedBy(char second, TokenKind both, TokenKind alone) {
        if (current() != second) {
            return alone;
        }
        at++;
        return both;
    }

    /** NUL marks the end; it is part of no token. */
    private char current() {
        return at < source.length() ? source.charAt(at) : '\0';
    }
}
