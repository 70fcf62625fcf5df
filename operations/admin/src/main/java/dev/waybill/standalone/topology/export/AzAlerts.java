package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.topology.export.Expression.Given;
import dev.waybill.standalone.topology.export.Expression.Named;
import dev.waybill.standalone.topology.export.Expression.ResourceId;
import dev.waybill.standalone.topology.export.Expression.Times;
import dev.waybill.standalone.topology.export.Inputs.Input;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Renders alerts and the workbook as shell requests to Azure Resource Manager. The alert command of the Azure CLI rejects names
 * with slashes or with words of its grammar, such as {@code out-of-stock}.
 */
final class AzAlerts {
    private static final Set<String> TYPES = Set.of(Resources.ALERT, Resources.LOG_ALERT, Resources.WORKBOOK);

    private final Set<String> plain;

    private AzAlerts(Set<String> plain) {
        this.plain = plain;
    }

    static List<String> lines(Template template) {
        var alerts = new AzAlerts(Inputs.of(template).stream()
                .filter(Input::isPlain)
                .map(Input::name)
                .collect(Collectors.toSet()));
        return Resources.of(template).stream()
                .filter(resource -> TYPES.contains(resource.plainType()))
                .map(alerts::line)
                .toList();
    }

    private String line(Resource alert) {
        return "az rest --method put --url \"${namespace%/providers/*}/providers/" + alert.plainType() + "/"
                + name(alert) + "?api-version=" + alert.version()
                + "\" --body '" + json(alert.body()) + "'";
    }

    private static String name(Resource resource) {
        return resource.name() instanceof Named named
                ? name(named)
                : resource.name().toString();
    }

    private static String name(Named named) {
        return "${" + Symbols.snake(Export.NAME) + "}-" + named.suffix();
    }

    /** JSON in single quotes, which close around each variable. */
    private String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(this::json).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof Expression expression
                ? expression(expression)
                : ArmRenderer.json(value).strip().replace("'", "'\\''");
    }

    private String expression(Expression expression) {
        if (expression instanceof ResourceId) {
            return "\"" + shell("$namespace") + "\"";
        }
        if (expression instanceof Named named) {
            return "\"" + shell(name(named)) + "\"";
        }
        if (expression instanceof Times times) {
            return shell("$((" + Symbols.snake(times.name()) + " * " + times.factor() + "))");
        }
        if (expression instanceof Given given) {
            String variable = shell("$" + Symbols.snake(given.name()));
            return plain.contains(given.name()) ? variable : "\"" + variable + "\"";
        }
        throw new IllegalStateException(expression.toString());
    }

    private static String shell(String expansion) {
        return "'\"" + expansion + "\"'";
    }
}
