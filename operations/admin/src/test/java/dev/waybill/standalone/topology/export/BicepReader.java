package dev.waybill.standalone.topology.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads as much of Bicep as exported templates have. An expression becomes a text between brackets, as it is written. */
final class BicepReader {
    private final String text;
    private int at;

    private BicepReader(String text) {
        this.text = text;
    }

    /** The resources by their symbols; each with its type, version and properties. */
    static Map<String, ObjectNode> resources(String text) {
        return new BicepReader(text).read();
    }

    private Map<String, ObjectNode> read() {
        var resources = new LinkedHashMap<String, ObjectNode>();
        while (at < text.length()) {
            String line = line();
            if (line.startsWith("resource ")) {
                String[] head = line.split(" ", 4);
                at -= 2;
                ObjectNode body = (ObjectNode) value();
                String type = head[2].substring(1, head[2].length() - 1);
                body.put("@type", type);
                if (resources.put(head[1], body) != null) {
                    throw new AssertionError("Twice: " + head[1]);
                }
            } else if (!line.isBlank()
                    && !line.matches("//.*|@description\\('.*'\\)|param \\w+ (string|int|bool)( = .*)?")) {
                throw new AssertionError("Not Bicep as it is exported: " + line);
            }
        }
        return resources;
    }

    private String line() {
        int end = text.indexOf('\n', at);
        String line = text.substring(at, end);
        at = end + 1;
        return line;
    }

    private JsonNode value() {
        skip();
        char next = text.charAt(at);
        if (next == '{') {
            return object();
        }
        if (next == '[') {
            return array();
        }
        if (next == '\'' && !isInterpolated()) {
            return TextNode.valueOf(string());
        }
        String expression = text.substring(at, text.indexOf('\n', at));
        at += expression.length();
        if (expression.matches("-?[0-9]+")) {
            return IntNode.valueOf(Integer.parseInt(expression));
        }
        return expression.matches("true|false")
                ? BooleanNode.valueOf(Boolean.parseBoolean(expression))
                : TextNode.valueOf("[" + expression + "]");
    }

    private boolean isInterpolated() {
        return text.startsWith("'${", at);
    }

    private ObjectNode object() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        at++;
        for (skip(); text.charAt(at) != '}'; skip()) {
            String name = name();
            at++;
            if (object.has(name)) {
                throw new AssertionError("Twice: " + name);
            }
            object.set(name, value());
        }
        at++;
        return object;
    }

    private String name() {
        if (text.charAt(at) == '\'') {
            return string();
        }
        int start = at;
        at = text.indexOf(':', at);
        return text.substring(start, at);
    }

    private ArrayNode array() {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        at++;
        for (skip(); text.charAt(at) != ']'; skip()) {
            array.add(value());
        }
        at++;
        return array;
    }

    private void skip() {
        while (" \n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private String string() {
        var string = new StringBuilder();
        at++;
        while (text.charAt(at) != '\'') {
            char next = text.charAt(at++);
            if (next == '\n' || text.startsWith("${", at - 1)) {
                throw new AssertionError("A text ends or is interpolated at " + text.substring(at - 1));
            }
            string.append(next == '\\' ? escaped() : Character.toString(next));
        }
        at++;
        return string.toString();
    }

    private String escaped() {
        char next = text.charAt(at++);
        return switch (next) {
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case '\\', '\'', '$' -> Character.toString(next);
            case 'u' -> {
                int end = text.indexOf('}', at);
                String character = Character.toString(Integer.parseInt(text.substring(at + 1, end), 16));
                at = end + 1;
                yield character;
            }
            default -> throw new AssertionError("Bicep has no escape " + next);
        };
    }
}
