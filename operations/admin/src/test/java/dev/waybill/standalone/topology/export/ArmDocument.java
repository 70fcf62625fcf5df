package dev.waybill.standalone.topology.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** An exported template for Azure Resource Manager, as Azure reads it. */
final class ArmDocument {
    private static final Pattern PARAMETER = Pattern.compile("\\[parameters\\('(\\w+)'\\)]");
    private static final Pattern FUNCTION =
            Pattern.compile("\\[(resourceId|format|guid|subscriptionResourceId|mul|parameters|resourceGroup)\\(");
    private static final Pattern CHILD = Pattern.compile("\\[format\\('(?:\\{\\d}/?)+', (.*)\\)]", Pattern.DOTALL);

    private final JsonNode document;

    private ArmDocument(JsonNode document) {
        this.document = document;
    }

    static ArmDocument of(String text) {
        try {
            return new ArmDocument(new ObjectMapper().readTree(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<JsonNode> resources() {
        return StreamSupport.stream(document.get("resources").spliterator(), false)
                .toList();
    }

    List<JsonNode> resources(String type) {
        return resources().stream()
                .filter(resource -> resource.get("type").asText().equals(type))
                .toList();
    }

    JsonNode parameters() {
        return document.get("parameters");
    }

    /** The properties of an entity by its ARM name's last part, with the usual values of parameters. */
    JsonNode properties(String type, String name) {
        return resources(type).stream()
                .filter(resource -> last(resource).equals("'" + name + "'"))
                .map(resource -> evaluated(resource.get("properties")))
                .findFirst()
                .orElseThrow(() -> new AssertionError(type + " " + name));
    }

    private static String last(JsonNode resource) {
        List<String> names = names(resource);
        return names.get(names.size() - 1);
    }

    /** The expressions of a resource's name, from the outermost parent on. */
    static List<String> names(JsonNode resource) {
        String name = resource.get("name").asText();
        Matcher child = CHILD.matcher(name);
        if (child.matches()) {
            return List.of(child.group(1).split(", "));
        }
        return List.of(name.startsWith("[") ? name.substring(1, name.length() - 1) : "'" + name + "'");
    }

    static String id(JsonNode resource) {
        return "resourceId('" + resource.get("type").asText() + "', " + String.join(", ", names(resource)) + ")";
    }

    /** With literals in the place of parameters, and with escaped brackets undone. */
    JsonNode evaluated(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(entry -> copy.set(entry.getKey(), evaluated(entry.getValue())));
            return copy;
        }
        if (node.isArray()) {
            var copy = JsonNodeFactory.instance.arrayNode();
            node.forEach(inner -> copy.add(evaluated(inner)));
            return copy;
        }
        return node.isTextual() ? evaluated(node.asText()) : node;
    }

    private JsonNode evaluated(String text) {
        Matcher parameter = PARAMETER.matcher(text);
        if (parameter.matches()) {
            JsonNode declared = parameters().get(parameter.group(1));
            return declared.get("type").asText().equals("int")
                    ? IntNode.valueOf(declared.get("defaultValue").asInt())
                    : TextNode.valueOf("given");
        }
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        if (bracketed && text.startsWith("[[")) {
            return TextNode.valueOf(text.substring(1));
        }
        if (bracketed && !FUNCTION.matcher(text).lookingAt()) {
            throw new AssertionError("Azure Resource Manager would evaluate " + text);
        }
        return TextNode.valueOf(text);
    }

    /** Every place below a node that holds a value, as {@code /properties/lockDuration}. */
    static List<String> leaves(JsonNode node) {
        var leaves = new ArrayList<String>();
        leaves(node, "", leaves);
        return leaves;
    }

    private static void leaves(JsonNode node, String path, List<String> leaves) {
        if (node.isObject()) {
            node.properties().forEach(entry -> leaves(entry.getValue(), path + "/" + entry.getKey(), leaves));
        } else {
            leaves.add(path);
        }
    }
}
