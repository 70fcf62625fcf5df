package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.topology.export.Inputs.Input;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Renders a template in Bicep. */
final class BicepRenderer {
    private static final String TAB = "  ";

    private final StringBuilder out = new StringBuilder();

    private BicepRenderer() {}

    static String render(Template template) {
        var renderer = new BicepRenderer();
        renderer.out.append(
                "// Made by waybill-relay topology export from the configuration: change that, not this.\n");
        Inputs.of(template).forEach(renderer::parameter);
        Resources.of(template).forEach(renderer::resource);
        return renderer.out.toString();
    }

    private void parameter(Input input) {
        out.append("\n@description(").append(text(input.text())).append(")\n");
        out.append("param ")
                .append(input.name())
                .append(' ')
                .append(input.type().azure());
        if (input.name().equals(Export.LOCATION)) {
            out.append(" = resourceGroup().location");
        }
        input.usual().ifPresent(usual -> out.append(" = ").append(input.isPlain() ? usual : text(usual)));
        out.append('\n');
    }

    private void resource(Resource resource) {
        Resource.Context context = resource.context();
        out.append("\nresource ")
                .append(resource.symbol())
                .append(" '")
                .append(resource.type())
                .append("' = {\n");
        if (context.parent() != null) {
            out.append(TAB).append("parent: ").append(context.parent().symbol()).append('\n');
        }
        if (context.scope() != null) {
            out.append(TAB).append("scope: ").append(context.scope().symbol()).append('\n');
        }
        property("name", resource.name(), TAB);
        resource.body().forEach((name, value) -> property(name, value, TAB));
        if (!context.after().isEmpty()) {
            out.append(TAB).append("dependsOn: [\n");
            context.after()
                    .forEach(other ->
                            out.append(TAB).append(TAB).append(other.symbol()).append('\n'));
            out.append(TAB).append("]\n");
        }
        out.append("}\n");
    }

    private void property(String name, Object value, String indent) {
        boolean plain = name.matches("[A-Za-z_][A-Za-z0-9_]*");
        out.append(indent).append(plain ? name : text(name)).append(": ");
        value(value, indent);
        out.append('\n');
    }

    private void value(Object value, String indent) {
        if (value instanceof Expression expression) {
            out.append(expression.bicep());
        } else if (value instanceof Map<?, ?> map) {
            out.append("{\n");
            map.forEach((name, inner) -> property((String) name, inner, indent + TAB));
            out.append(indent).append('}');
        } else if (value instanceof List<?> list) {
            out.append("[\n");
            for (Object inner : list) {
                out.append(indent).append(TAB);
                value(inner, indent + TAB);
                out.append('\n');
            }
            out.append(indent).append(']');
        } else {
            out.append(value instanceof String text ? text(text) : value.toString());
        }
    }

    /** A one-line literal without interpolation. */
    static String text(String text) {
        return text.codePoints()
                .mapToObj(BicepRenderer::escaped)
                .collect(Collectors.joining("", "'", "'"))
                .replace("${", "\\${");
    }

    private static String escaped(int character) {
        return switch (character) {
            case '\\' -> "\\\\";
            case '\'' -> "\\'";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                Character.isISOControl(character)
                        ? "\\u{" + Integer.toHexString(character) + "}"
                        : Character.toString(character);
        };
    }
}
