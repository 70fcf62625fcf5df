package dev.waybill.standalone.topology.export;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Renders Terraform blocks with arguments. */
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

    // Aligns equals signs as "terraform fmt" does.
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

    Blocks text(String name, String text) {
        return plain(name, quoted(text));
    }

    Blocks plain(String name, Object expression) {
        if (arguments.put(name, expression.toString()) != null) {
            throw new IllegalStateException("The argument '" + name + "' is there twice");
        }
        return this;
    }

    /** A one-line literal without interpolation. */
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
