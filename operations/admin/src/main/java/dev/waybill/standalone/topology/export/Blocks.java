package dev.waybill.standalone.topology.export;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Text in the language of Terraform: blocks with arguments. */
final class Blocks {
    private static final String TAB = "  ";

    private final StringBuilder out = new StringBuilder();
    private final Map<String, String> arguments = new LinkedHashMap<>();
    private int depth;

    Blocks line(String line) {
        align();
        out.append(TAB.repeat(depth)).append(line).append('\n');
        return this;
    }

    // As "terraform fmt" has it: what stands below each other has its equals signs below each other.
    private void align() {
        int width = arguments.keySet().stream().mapToInt(String::length).max().orElse(0);
        arguments.forEach((name, value) -> out.append(TAB.repeat(depth))
                .append(name)
                .append(" ".repeat(width - name.length()))
                .append(" = ")
                .append(value)
                .append('\n'));
        arguments.clear();
    }

    Blocks open(String head) {
        align();
        if (depth == 0) {
            out.append('\n');
        }
        line(head + " {");
        depth++;
        return this;
    }

    Blocks close() {
        align();
        depth--;
        return line("}");
    }

    /** An argument that is a text, whatever the text says. */
    Blocks text(String name, String text) {
        return plain(name, quoted(text));
    }

    /** An argument that is an expression. */
    Blocks plain(String name, Object expression) {
        if (arguments.put(name, expression.toString()) != null) {
            throw new IllegalStateException("The argument '" + name + "' is there twice");
        }
        return this;
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
