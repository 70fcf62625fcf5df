package dev.waybill.standalone.topology.export;

import static dev.waybill.standalone.topology.export.Resources.map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.waybill.standalone.topology.export.Template.Alert;
import dev.waybill.standalone.topology.export.Template.Criterion;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** An Azure Monitor workbook with a panel for each alert. The reader selects the namespace, so the text is equal in all formats. */
final class Workbook {
    static final String NAME = "waybill";
    static final String CATEGORY = "workbook";
    static final int MOST_ENTITIES = 30;

    private static final String TYPE = "microsoft.servicebus/namespaces";
    private static final String RUNBOOKS = "https://waybill.dev/docs/operations/runbooks";
    private static final String EACH = "*";

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final int TEXT = 1;
    private static final int PARAMETERS = 9;
    private static final int METRICS = 10;
    private static final int LINES = 2;

    private Workbook() {}

    /** A stable UUID for each namespace of the configuration. */
    static String id(Template template) {
        String of = "waybill workbook " + template.space().name().orElse("");
        return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8)).toString();
    }

    static boolean isCut(Template template) {
        return template.entities().stream().filter(Workbook::isWatched).count() > MOST_ENTITIES;
    }

    private static boolean isWatched(Entity entity) {
        return entity.kind() == Kind.QUEUE || entity.kind() == Kind.TOPIC;
    }

    static String json(Template template) {
        var items = new ArrayList<Object>();
        items.add(text("head", "# Service Bus, as Waybill declares it\n\n" + runbooks(template)));
        items.add(parameters());
        template.alerts().stream()
                .filter(alert -> entity(alert).equals(EACH))
                .forEach(alert -> items.add(panel(alert)));
        for (String entity : entities(template)) {
            items.add(text("about-" + items.size(), "## " + code(entity)));
            template.alerts().stream()
                    .filter(alert -> entity(alert).equals(entity))
                    .forEach(alert -> items.add(panel(alert)));
        }
        try {
            return JSON.writeValueAsString(
                    map("version", "Notebook/1.0", "items", items, "fallbackResourceIds", List.of("Azure Monitor")));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> entities(Template template) {
        Set<String> entities = template.alerts().stream()
                .map(Workbook::entity)
                .filter(entity -> !entity.equals(EACH))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return entities.stream().limit(MOST_ENTITIES).toList();
    }

    private static String entity(Alert alert) {
        return alert.criteria().get(0).entity();
    }

    private static String runbooks(Template template) {
        return template.alerts().stream()
                .map(alert -> alert.name().replaceFirst("-(queue|topic)-.*", ""))
                .distinct()
                .map(name -> "- " + code(name) + ": [" + runbook(name) + "]({Runbooks}/" + runbook(name) + ".md)")
                .collect(Collectors.joining("\n"));
    }

    static String runbook(String alert) {
        return switch (alert) {
            case "dead-letters" -> "dead-letters-depth";
            case "throttled" -> "throttled";
            case "server-errors" -> "broker-away";
            // Messages arrive without a receiver.
            case "backlog", "diverges", "fills" -> "consumer-unhealthy";
            default -> throw new IllegalArgumentException("No runbook is known for the alert '" + alert + "'");
        };
    }

    // Backticks keep names from being parsed as Markdown.
    private static String code(String name) {
        return "`" + name.replace("`", "'") + "`";
    }

    private static Map<String, Object> text(String name, String markdown) {
        return map("type", TEXT, "content", map("json", markdown), "name", name);
    }

    private static Map<String, Object> parameters() {
        Map<String, Object> namespace = parameter("Namespace", 5);
        namespace.put("query", "resources\n| where type =~ '" + TYPE + "'\n| order by name asc\n| project id");
        namespace.put("queryType", 1);
        namespace.put("resourceType", "microsoft.resourcegraph/resources");
        namespace.put("crossComponentResources", List.of("value::all"));
        namespace.put("typeSettings", map("additionalResourceOptions", List.of("value::1")));
        namespace.put("value", "value::1");
        Map<String, Object> time = parameter("TimeRange", 4);
        time.put(
                "typeSettings",
                map(
                        "selectableValues",
                        List.of(millis(1), millis(4), millis(24), millis(7 * 24)),
                        "allowCustom",
                        true));
        time.put("value", millis(4));
        Map<String, Object> runbooks = parameter("Runbooks", 1);
        runbooks.put("value", RUNBOOKS);
        Map<String, Object> content = map(
                "version", "KqlParameterItem/1.0", "parameters", List.of(namespace, time, runbooks), "style", "pills");
        return map("type", PARAMETERS, "content", content, "name", "parameters");
    }

    private static Map<String, Object> millis(int hours) {
        return map("durationMs", hours * 3_600_000);
    }

    private static Map<String, Object> parameter(String name, int type) {
        return map(
                "id",
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString(),
                "version",
                "KqlParameterItem/1.0",
                "name",
                name,
                "type",
                type,
                "isRequired",
                true);
    }

    private static Map<String, Object> panel(Alert alert) {
        Map<String, Object> content = map(
                "chartId",
                alert.symbol(),
                "version",
                "MetricsItem/2.0",
                "size",
                0,
                "chartType",
                LINES,
                "resourceType",
                TYPE,
                "metricScope",
                0);
        content.put("resourceParameter", "Namespace");
        content.put("resourceIds", List.of("{Namespace}"));
        content.put("timeContextFromParameter", "TimeRange");
        content.put("metrics", alert.criteria().stream().map(Workbook::metric).toList());
        content.put("title", alert.text());
        String entity = entity(alert);
        if (!entity.equals(EACH)) {
            content.put(
                    "filters", List.of(map("id", "1", "key", "EntityName", "operator", 0, "values", List.of(entity))));
        }
        return map("type", METRICS, "content", content, "customWidth", "50", "name", alert.symbol());
    }

    private static Map<String, Object> metric(Criterion criterion) {
        Map<String, Object> metric = map(
                "namespace", TYPE, "metric", TYPE + "--" + criterion.metric(), "aggregation", aggregation(criterion));
        if (criterion.entity().equals(EACH)) {
            metric.put("splitBy", "EntityName");
        }
        return metric;
    }

    // The portal's number.
    private static int aggregation(Criterion criterion) {
        return switch (criterion.aggregation()) {
            case "Total" -> 1;
            case "Minimum" -> 2;
            case "Maximum" -> 3;
            case "Average" -> 4;
            default -> throw new IllegalArgumentException(criterion.aggregation());
        };
    }
}
