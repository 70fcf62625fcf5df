package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.export.Export.Format;
import dev.waybill.standalone.topology.export.Template.Alert;
import dev.waybill.standalone.topology.export.Template.Criterion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The workbook and the alert on logs, in each format, and the queries beside them. */
class WorkbookTest {
    private static final Path QUERIES = Path.of("../../deploy/azure");
    private static final Path OPERATIONS = Path.of("../../docs/operations");
    private static final Pattern RUNBOOK = Pattern.compile("\\{Runbooks}/([a-z-]+\\.md)");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

    private final Template template = Declared.template("premium");

    @Test
    void there_is_a_panel_for_each_alert_with_its_metrics_and_its_entity() throws IOException {
        List<JsonNode> panels = items(Workbook.json(template), 10);

        assertThat(panels).hasSameSizeAs(template.alerts());
        for (int i = 0; i < panels.size(); i++) {
            JsonNode content = panels.get(i).get("content");
            Alert alert = template.alerts().stream()
                    .filter(each -> each.symbol().equals(content.get("chartId").asText()))
                    .findFirst()
                    .orElseThrow();
            Criterion first = alert.criteria().get(0);
            assertThat(metrics(content))
                    .containsExactlyElementsOf(alert.criteria().stream()
                            .map(criterion -> "microsoft.servicebus/namespaces--" + criterion.metric())
                            .toList());
            assertThat(content.at("/filters/0/values/0").asText())
                    .isEqualTo(first.entity().equals("*") ? "" : first.entity());
            assertThat(content.at("/metrics/0/splitBy").asText())
                    .isEqualTo(first.entity().equals("*") ? "EntityName" : "");
            assertThat(content.at("/resourceIds/0").asText()).isEqualTo("{Namespace}");
        }
    }

    @Test
    void every_entity_that_the_workbook_names_is_declared() throws IOException {
        Set<String> declared = template.entities().stream()
                .map(entity -> entity.name().replace('~', '/'))
                .collect(Collectors.toSet());

        List<String> named = items(Workbook.json(template), 10).stream()
                .map(panel -> panel.at("/content/filters/0/values/0").asText())
                .filter(entity -> !entity.isEmpty())
                .distinct()
                .toList();

        assertThat(named).hasSize(6).isSubsetOf(declared).contains("grave/yard", "orders.in");
    }

    @Test
    void every_alert_has_a_runbook_that_exists() throws IOException {
        String head =
                items(Workbook.json(template), 1).get(0).at("/content/json").asText();

        List<String> pages =
                RUNBOOK.matcher(head).results().map(page -> page.group(1)).toList();
        assertThat(pages)
                .hasSize(6)
                .allSatisfy(page ->
                        assertThat(OPERATIONS.resolve("runbooks/" + page)).exists());
        assertThatThrownBy(() -> Workbook.runbook("new-alert")).hasMessageContaining("new-alert");
    }

    @Test
    void the_workbook_and_the_alert_on_logs_say_the_same_in_every_format() throws IOException {
        String yaml = Declared.full("premium");
        ArmDocument arm = ArmDocument.of(Declared.export(yaml, Format.ARM).text());
        JsonNode workbook = arm.resources("Microsoft.Insights/workbooks").get(0);
        JsonNode rule = arm.resources("Microsoft.Insights/scheduledQueryRules").get(0);
        String data = Workbook.json(template);
        String query = template.logAlerts().get(0).query();
        Map<String, Map<String, String>> terraform =
                TerraformReader.read(Declared.export(yaml, Format.TERRAFORM).text());
        Map<String, String> block = terraform.get("resource azurerm_application_insights_workbook workbook");
        Map<String, String> alert =
                terraform.get("resource azurerm_monitor_scheduled_query_rules_alert_v2 alert_dead_letters_log");

        assertThat(workbook.at("/properties/serializedData").asText()).isEqualTo(data);
        assertThat(block).containsEntry("data_json", "=" + data);
        assertThat(block).containsEntry("name", "=" + workbook.get("name").asText());
        assertThat(block).containsEntry("source_id", "lower(azurerm_servicebus_namespace.namespace.id)");
        assertThat(rule.at("/properties/criteria/allOf/0/query").asText()).isEqualTo(query);
        assertThat(alert)
                .containsEntry("criteria0.query", "=" + query)
                .containsEntry("criteria0.time_aggregation_method", "=Minimum")
                .containsEntry("criteria0.metric_measure_column", "=Maximum")
                .containsEntry("criteria0.threshold", "0")
                .containsEntry("evaluation_frequency", "=PT5M")
                .containsEntry("window_duration", "=PT15M")
                .containsEntry("scopes", "[azurerm_servicebus_namespace.namespace.id]");
        assertThat(rule.at("/properties/windowSize").asText()).isEqualTo("PT15M");
        assertThat(rule.at("/properties/evaluationFrequency").asText()).isEqualTo("PT5M");
        assertThat(alert).containsEntry("enabled", "var.alert_from_logs");
        assertThat(terraform.get("variable alert_from_logs"))
                .containsEntry("type", "bool")
                .containsEntry("default", "false");
        assertThat(rule.at("/properties/enabled").asText()).isEqualTo("[parameters('alertFromLogs')]");
        assertThat(arm.parameters().at("/alertFromLogs/type").asText()).isEqualTo("bool");
        assertThat(arm.parameters().at("/alertFromLogs/defaultValue").isBoolean())
                .isTrue();
        assertThat(rule.get("kind").asText()).isEqualTo("LogAlert");
        assertThat(rule.at("/properties/actions/actionGroups/0").asText()).isEqualTo("[parameters('actionGroupId')]");
    }

    @Test
    void the_query_for_people_is_that_of_the_alert() throws IOException {
        String file = Files.readString(QUERIES.resolve("dead-letters.kql"));

        assertThat(file.replaceAll("(?m)^//.*\n", ""))
                .isEqualTo(template.logAlerts().get(0).query());
    }

    @Test
    void queries_name_metrics_of_alerts_and_lines_of_the_log_that_exist() throws IOException {
        Set<String> known = template.alerts().stream()
                .flatMap(alert -> alert.criteria().stream())
                .map(Criterion::metric)
                .collect(Collectors.toCollection(TreeSet::new));
        String log = Files.readString(OPERATIONS.resolve("log.md"));
        var checked = new ArrayList<String>();
        try (Stream<Path> files = Files.list(QUERIES)) {
            for (Path file : files.toList()) {
                String text = Files.readString(file).replaceAll("(?m)^//.*\n", "");
                QUOTED.matcher(text)
                        .results()
                        .map(WorkbookTest::text)
                        .filter(WorkbookTest::isChecked)
                        .forEach(word -> {
                            assertThat(known.contains(word) || log.contains(word))
                                    .as(file + ": " + word)
                                    .isTrue();
                            checked.add(word);
                        });
            }
        }

        assertThat(checked).contains("DeadletteredMessages", "ThrottledRequests", "can be used again");
    }

    private static String text(MatchResult quoted) {
        return quoted.group(1);
    }

    // The names of Azure's own are nothing that is declared here.
    private static boolean isChecked(String word) {
        return !Set.of("MICROSOFT.SERVICEBUS", "stdout", "stderr", "dev.waybill.")
                        .contains(word)
                && !word.startsWith("^");
    }

    @Test
    void a_workbook_of_many_entities_is_cut_and_says_so() throws IOException {
        String yaml = "namespace: { main: { host: waybill-test.servicebus.windows.net } }\ndestination: {"
                + IntStream.range(0, 31).mapToObj(i -> "q" + i + ": {}").collect(Collectors.joining(", ")) + "}";
        Configuration configuration = Declared.configuration(yaml);
        Template many =
                Export.template(configuration, Declaration.of(configuration).get(0));

        String text = Workbook.json(many);

        assertThat(text.length())
                .as("an argument of a shell has 131072 bytes at most")
                .isLessThan(100_000);
        assertThat(items(text, 1)).hasSize(1 + 30);
        assertThat(Declared.export(yaml, Format.BICEP).warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("first 30"));
    }

    private static List<String> metrics(JsonNode content) {
        var metrics = new ArrayList<String>();
        content.get("metrics").forEach(metric -> {
            metrics.add(metric.get("metric").asText());
            assertThat(metric.get("aggregation").asInt()).isBetween(1, 4);
        });
        return metrics;
    }

    private static List<JsonNode> items(String workbook, int type) throws IOException {
        var items = new ArrayList<JsonNode>();
        new ObjectMapper().readTree(workbook).get("items").forEach(item -> {
            if (item.get("type").asInt() == type) {
                items.add(item);
            }
        });
        return items;
    }
}
