package dev.waybill.standalone.topology.export;

import java.util.stream.Collectors;

/** Text in the language of Terraform: blocks with arguments. */
final class Blocks {
    private static final String TAB = "  ";

    private final StringBuilder out = new StringBuilder();
    private int depth;

    Blocks line(String line) {
        out.append(TAB.repeat(depth)).append(line).append('\n');
        return this;
    }

    Blocks open(String head) {
        if (depth == 0) {
            out.append('\n');
        }
        line(head + " {");
        depth++;
        return this;
    }

    Blocks close() {
        depth--;
        return line("}");
    }

    /** An argument that is a text, whatever the text says. */
    Blocks text(String name, String text) {
        return line(name + " = " + quoted(text));
    }

    /** An argument that is an expression. */
    Blocks plain(String name, Object expression) {
        return line(name + " = " + expression);
    }

    /** A literal in which nothing is interpolated, whatever stands before the brace, and that stays on its line. */
    static String quoted(String text) {
        return text.codePoints()
                .mapToObj(Blocks::escaped)
                .collect(Collectors.joining("", "\"", "\""))
                .replace("${", "\\u0024{")
                .replace("%{", "\\u0025{");
    }

    private static String escaped(int character) {
        return switch (character) {
            case '\\' -> "\\\\";
            case '"' -> "\\\"";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                Character.isISOControl(character) ? "\\u%04x".formatted(character) : Character.toString(character);
        };
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
