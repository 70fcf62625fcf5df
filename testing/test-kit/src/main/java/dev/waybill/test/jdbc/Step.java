package dev.waybill.test.jdbc;

import java.util.Locale;

/**
 * One step that is taken through a watched connection.
 *
 * @param sql the statement as the driver gets it, in one line; the kind's name where there is none
 */
public record Step(Kind kind, String sql) {
    public enum Kind {
        STATEMENT,
        /** By {@code commit}, or by turning auto-commit on inside a transaction. */
        COMMIT,
        ROLLBACK,
        CLOSE
    }

    public static Step statement(String sql) {
        return new Step(Kind.STATEMENT, SqlText.of(sql).line());
    }

    static Step of(Kind kind) {
        return new Step(kind, kind.name().toLowerCase(Locale.ROOT));
    }

    public boolean isStatement() {
        return kind == Kind.STATEMENT;
    }
}
