package dev.waybill.standalone.topology.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.waybill.standalone.topology.export.Inputs.Input;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Renders a template for Azure Resource Manager. */
final class ArmRenderer {
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private ArmRenderer() {}

    static String render(Template template) {
        Map<String, Object> document = Resources.map(
                "$schema",
                "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
                "contentVersion",
                "1.0.0.0");
        var parameters = new LinkedHashMap<String, Object>();
        Inputs.of(template).forEach(input -> parameters.put(input.name(), parameter(input)));
        document.put("parameters", parameters);
        document.put(
                "resources",
                Resources.of(template).stream().map(ArmRenderer::resource).toList());
        return json(document);
    }

    static String json(Object document) {
        try {
            return JSON.writeValueAsString(document).replace("\r\n", "\n") + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> parameter(Input input) {
        Map<String, Object> parameter = Resources.map("type", input.type().azure());
        input.usual().ifPresent(usual -> parameter.put("defaultValue", usual(input.type(), usual)));
        if (input.name().equals(Export.LOCATION)) {
            parameter.put("defaultValue", "[resourceGroup().location]");
        }
        parameter.put("metadata", Resources.map("description", literal(input.text())));
        return parameter;
    }

    private static Object usual(Inputs.Type type, String usual) {
        return switch (type) {
            case TEXT -> literal(usual);
            case NUMBER -> Integer.valueOf(usual);
            case FLAG -> Boolean.valueOf(usual);
        };
    }

    private static Map<String, Object> resource(Resource resource) {
        Map<String, Object> written = Resources.map("type", resource.plainType(), "apiVersion", resource.version());
        Resource.Context context = resource.context();
        if (context.scope() != null) {
            written.put("scope", "[" + context.scope().armId() + "]");
        }
        written.put(
                "name",
                resource.name() instanceof String text && context.parent() == null
                        ? literal(text)
                        : "[" + resource.armName() + "]");
        resource.body().forEach((name, value) -> written.put(name, value(value)));
        List<String> dependencies = dependencies(resource);
        if (!dependencies.isEmpty()) {
            written.put("dependsOn", dependencies);
        }
        return written;
    }

    private static List<String> dependencies(Resource resource) {
        Resource.Context context = resource.context();
        Stream<Resource> named = Stream.concat(
                Stream.of(context.parent(), context.scope()).filter(other -> other != null), context.after().stream());
        return Stream.concat(named, referred(resource.body()))
                .map(other -> "[" + other.armId() + "]")
                .distinct()
                .toList();
    }

    // Bicep infers these dependencies.
    private static Stream<Resource> referred(Object value) {
        if (value instanceof Expression.ResourceId id) {
            return Stream.of(id.resource());
        }
        if (value instanceof Map<?, ?> map) {
            return map.values().stream().flatMap(ArmRenderer::referred);
        }
        return value instanceof List<?> list ? list.stream().flatMap(ArmRenderer::referred) : Stream.empty();
    }

    private static Object value(Object value) {
        if (value instanceof Expression expression) {
            return "[" + expression.arm() + "]";
        }
        if (value instanceof Map<?, ?> map) {
            var written = new LinkedHashMap<String, Object>();
            map.forEach((name, inner) -> written.put((String) name, value(inner)));
            return written;
        }
        if (value instanceof List<?> list) {
            var written = new ArrayList<Object>();
            list.forEach(inner -> written.add(value(inner)));
            return written;
        }
        return value instanceof String text ? literal(text) : value;
    }

    /** Escapes a text in brackets, which would be an expression. */
    static String literal(String text) {
        return text.startsWith("[") && text.endsWith("]") ? "[" + text : text;
    }
}
