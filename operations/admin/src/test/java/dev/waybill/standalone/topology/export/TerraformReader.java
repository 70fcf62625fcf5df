package dev.waybill.standalone.topology.export;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads as much of Terraform's language as exported files have: top blocks with arguments, and blocks in them. */
final class TerraformReader {
    private static final Pattern BLOCK = Pattern.compile("(\\w+)((?: \"\\w+\")*)(?: =)? \\{");
    private static final Pattern ARGUMENT = Pattern.compile("(\\w+) += (.*)");

    private final Map<String, Map<String, String>> blocks = new LinkedHashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private Map<String, String> top = new LinkedHashMap<>();
    private int inner;

    private TerraformReader() {}

    /**
     * The blocks by head, as {@code resource azurerm_servicebus_queue orders}. Arguments of inner blocks are named by their path;
     * texts are undone, and begin with an equals sign to tell them from expressions.
     */
    static Map<String, Map<String, String>> read(String text) {
        var reader = new TerraformReader();
        text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.equals("features {}"))
                .forEach(reader::line);
        if (!reader.open.isEmpty()) {
            throw new AssertionError("Left open: " + reader.open);
        }
        return reader.blocks;
    }

    private void line(String line) {
        Matcher block = BLOCK.matcher(line);
        Matcher argument = ARGUMENT.matcher(line);
        if (block.matches()) {
            open(block.group(1) + block.group(2).replace("\"", ""));
        } else if (line.equals("}")) {
            open.pop();
        } else if (argument.matches()) {
            String path = prefix() + argument.group(1);
            String value = argument.group(2);
            boolean text = value.startsWith("\"") && !value.startsWith("\"${var.");
            if (top.put(path, text ? "=" + text(value) : value) != null) {
                throw new AssertionError("Twice: " + path);
            }
        } else {
            throw new AssertionError("Not as it is exported: " + line);
        }
    }

    private void open(String head) {
        if (open.isEmpty()) {
            top = new LinkedHashMap<>();
            inner = 0;
            if (blocks.put(head, top) != null) {
                throw new AssertionError("Twice: " + head);
            }
        }
        open.push(open.isEmpty() ? head : head + inner++);
    }

    private String prefix() {
        return open.size() < 2 ? "" : open.peek() + ".";
    }

    /** The text of a literal; refuses one that ends early, or in which something is interpolated. */
    static String text(String literal) {
        var text = new StringBuilder();
        int end = literal.length() - 1;
        if (literal.charAt(end) != '"') {
            throw new AssertionError("No end: " + literal);
        }
        for (int at = 1; at < end; at++) {
            char next = literal.charAt(at);
            if (next == '"' || literal.startsWith("${", at) || literal.startsWith("%{", at)) {
                throw new AssertionError("Ends or is interpolated at " + literal.substring(at));
            }
            if (next != '\\') {
                text.append(next);
                continue;
            }
            char escape = literal.charAt(++at);
            switch (escape) {
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case '"', '\\' -> text.append(escape);
                case 'u' -> {
                    text.append((char) Integer.parseInt(literal.substring(at + 1, at + 5), 16));
                    at += 4;
                }
                default -> throw new AssertionError("Terraform has no escape " + escape);
            }
        }
        return text.toString();
    }
}
