package dev.waybill.servicebus.embedded.filter;

import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

enum TokenKind {
    AND("AND"),
    OR("OR"),
    NOT("NOT"),
    LIKE("LIKE"),
    ESCAPE("ESCAPE"),
    IN("IN"),
    EXISTS("EXISTS"),
    IS("IS"),
    NULL("NULL"),
    TRUE("TRUE"),
    FALSE("FALSE"),
    SET("SET"),
    REMOVE("REMOVE"),
    NAME("a name"),
    DELIMITED_NAME("a name"),
    TEXT("text"),
    INTEGER("a number"),
    REAL("a number"),
    PARAMETER("a parameter"),
    EQUAL("'='"),
    NOT_EQUAL("'<>'"),
    LESS("'<'"),
    LESS_OR_EQUAL("'<='"),
    GREATER("'>'"),
    GREATER_OR_EQUAL("'>='"),
    PLUS("'+'"),
    MINUS("'-'"),
    STAR("'*'"),
    SLASH("'/'"),
    PERCENT("'%'"),
    OPEN("'('"),
    CLOSE("')'"),
    COMMA("','"),
    DOT("'.'"),
    SEMICOLON("';'"),
    END("the end of the expression");

    private static final Map<String, TokenKind> KEYWORDS = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static {
        EnumSet.range(AND, REMOVE).forEach(keyword -> KEYWORDS.put(keyword.name(), keyword));
    }

    private final String description;

    TokenKind(String description) {
        this.description = description;
    }

    static @Nullable TokenKind keyword(String word) {
        return KEYWORDS.get(word);
    }

    boolean isKeyword() {
        return compareTo(REMOVE) <= 0;
    }

    @Override
    public String toString() {
        return description;
    }
}
