package dev.waybill.test.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement, read as far as it can be without a database: words apart from comments, strings and quoted names.
 * Immutable.
 */
public final class SqlText {
    private static final String STRING = "[eE]'(?:[^'\\\\]|\\\\.|'')*+'|'[^']*+(?:''[^']*+)*+'";
    private static final String NAME = "\"[^\"]*+(?:\"\"[^\"]*+)*+\"";
    private static final String DOLLARS = "\\$\\$.*?\\$\\$|\\$(?<tag>[\\p{L}_][\\p{L}\\p{N}_]*+)\\$.*?\\$\\k<tag>\\$";
    private static final Pattern TOKEN = Pattern.compile(
            "(?<space>\\s++)|(?<line>--[^\\r\\n]*+)|(?<quoted>" + STRING + "|" + NAME + "|" + DOLLARS
                    + ")|(?<word>[\\p{L}_][\\p{L}\\p{N}_$]*+)|(?<other>.)",
            Pattern.DOTALL);

    /** Statements that neither read nor write: of transactions, sessions and cursors. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "abort",
            "begin",
            "close",
            "commit",
            "deallocate",
            "declare",
            "discard",
            "end",
            "fetch",
            "listen",
            "lock",
            "move",
            "prepare",
            "release",
            "reset",
            "rollback",
            "savepoint",
            "set",
            "show",
            "start",
            "unlisten");

    private static final Set<String> READING = Set.of("select", "table", "values", "with");

    /** Functions of PostgreSQL and of Waybill by which a query writes. */
    private static final Set<String> WRITING_FUNCTIONS = Set.of(
            "nextval", "setval", "outbox_append", "pg_notify", "lo_create", "lo_from_bytea", "lo_put", "lo_unlink");

    private final String line;
    private final List<String> words = new ArrayList<>();

    private SqlText(String sql) {
        var text = new StringBuilder();
        int at = 0;
        while (at < sql.length()) {
            if (sql.startsWith("/*", at)) {
                int end = endOfComment(sql, at);
                text.append(sql.substring(at, end).replaceAll("\\s+", " "));
                at = end;
            } else {
                at = take(sql, at, text);
            }
        }
        line = text.toString().strip();
    }

    public static SqlText of(String sql) {
        return new SqlText(sql);
    }

    public enum Effect {
        NONE,
        /** Reads; {@code for update} too. The functions that it calls may do more, which is not known. */
        READS,
        WRITES
    }

    private int take(String sql, int at, StringBuilder text) {
        Matcher token = TOKEN.matcher(sql).region(at, sql.length());
        if (!token.lookingAt()) {
            throw new IllegalStateException("No token at " + at + " of " + sql);
        }
        if (token.group("space") != null) {
            text.append(' ');
        } else if (token.group("line") != null) {
            text.append("/*")
                    .append(token.group().substring(2).replace("*/", "* /"))
                    .append(" */");
        } else {
            text.append(token.group());
            words.add(token.group("quoted") == null ? token.group().toLowerCase(Locale.ROOT) : "'");
        }
        return token.end();
    }

    // Comments contain comments.
    private static int endOfComment(String sql, int start) {
        int depth = 0;
        int at = start;
        while (at < sql.length()) {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return at;
                }
            } else {
                at++;
            }
        }
        return sql.length();
    }

    public String line() {
        return line;
    }

    /** The strongest effect of the statements. */
    public Effect effect() {
        Effect most = Effect.NONE;
        for (List<String> statement : statements()) {
            Effect effect = effect(statement);
            most = effect.compareTo(most) > 0 ? effect : most;
        }
        return most;
    }

    public boolean commits() {
        return begins("commit", "end");
    }

    public boolean rollsBack() {
        return begins("rollback", "abort");
    }

    private boolean begins(String one, String other) {
        return statements().stream()
                .filter(statement -> !statement.contains("to"))
                .map(statement -> statement.get(0))
                .anyMatch(first -> first.equals(one) || first.equals(other));
    }

    private List<List<String>> statements() {
        var all = new ArrayList<List<String>>();
        var current = new ArrayList<String>();
        for (String word : words) {
            if (!word.equals(";")) {
                current.add(word);
            } else if (!current.isEmpty()) {
                all.add(List.copyOf(current));
                current.clear();
            }
        }
        if (!current.isEmpty()) {
            all.add(current);
        }
        return all;
    }

    private static Effect effect(List<String> statement) {
        int start = 0;
        while (start < statement.size() - 1 && statement.get(start).equals("(")) {
            start++;
        }
        String first = statement.get(start);
        if (first.equals("explain")) {
            return explained(statement.subList(start + 1, statement.size()));
        }
        if (READING.contains(first)) {
            return writes(statement) ? Effect.WRITES : Effect.READS;
        }
        return WITHOUT_EFFECT.contains(first) ? Effect.NONE : Effect.WRITES;
    }

    private static Effect explained(List<String> rest) {
        boolean executed = rest.contains("analyze") || rest.contains("analyse");
        for (int i = 0; executed && i < rest.size(); i++) {
            boolean begins = READING.contains(rest.get(i)) || isWriting(rest.get(i));
            if (begins) {
                return effect(rest.subList(i, rest.size()));
            }
        }
        return executed ? Effect.WRITES : Effect.NONE;
    }

    private static boolean writes(List<String> query) {
        for (int i = 1; i < query.size(); i++) {
            String before = query.get(i - 1);
            String after = i + 1 < query.size() ? query.get(i + 1) : "";
            if (writes(before, query.get(i), after)) {
                return true;
            }
        }
        return false;
    }

    // A part of a query that writes stands in parentheses, or after those of a "with".
    private static boolean writes(String before, String word, String after) {
        boolean begins = before.equals("(") || before.equals(")");
        return switch (word) {
            case "insert", "merge" -> after.equals("into");
            case "into" -> !before.equals("as");
            case "delete" -> begins && after.equals("from");
            case "update" -> begins && !after.equals(")") && !after.equals(",");
            default -> after.equals("(") && WRITING_FUNCTIONS.contains(word);
        };
    }

    private static boolean isWriting(String first) {
        return Set.of("insert", "update", "delete", "merge", "create", "execute", "refresh")
                .contains(first);
    }
}
