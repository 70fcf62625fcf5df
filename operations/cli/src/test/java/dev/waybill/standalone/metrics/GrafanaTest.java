package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.standalone.InstalledTool;
import dev.waybill.standalone.metrics.Dashboard.Query;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The dashboard as a file. That relays tell what it asks for, {@link FiguresTest} knows. */
class GrafanaTest {
    private static final Path RUNBOOKS = Path.of("../../docs/operations/runbooks");
    private static final Set<String> UNITS = Set.of("short", "s", "mps", "percentunit", "bytes", "none");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-zA-Z_]+)");
    private static final Pattern RUNBOOK = Pattern.compile("\\$\\{runbooks}/(.+)");

    private Dashboard dashboard;

    @BeforeEach
    void open() throws IOException {
        dashboard = Dashboard.open();
    }

    @Test
    void every_panel_says_what_to_do_and_leads_to_a_runbook() {
        assertThat(dashboard.panels()).hasSizeGreaterThan(30).allSatisfy(panel -> {
            String title = panel.path("title").asText();
            assertThat(title).isNotBlank();
            assertThat(panel.path("description").asText()).as(title).hasSizeGreaterThan(60);
            assertThat(panel.path("fieldConfig").path("defaults").path("unit").asText())
                    .as(title)
                    .isIn(UNITS);
            assertThat(panel.path("targets")).as(title).isNotEmpty();
            assertThat(panel.path("links")).as(title).isNotEmpty().allSatisfy(link -> {
                var url = RUNBOOK.matcher(link.path("url").asText());
                assertThat(url.matches()).as("%s: %s", title, link).isTrue();
                assertThat(RUNBOOKS.resolve(url.group(1))).as(title).exists();
            });
        });
    }

    @Test
    void the_row_of_an_alarm_leads_to_the_runbook_of_that_alarm() {
        JsonNode table = dashboard.panels().stream()
                .filter(panel -> panel.path("title").asText().equals("Alarms raised now"))
                .findFirst()
                .orElseThrow();

        assertThat(table.findValuesAsText("url")).contains("${runbooks}/${__value.raw}.md");
    }

    @Test
    void no_two_panels_share_an_id_or_a_place() {
        var ids = new HashSet<Integer>();
        var places = new ArrayList<Rectangle2D>();
        for (JsonNode panel : dashboard.rowsAndPanels()) {
            String title = panel.path("title").asText();
            assertThat(ids.add(panel.path("id").asInt()))
                    .as("the id of " + title)
                    .isTrue();
            JsonNode grid = panel.path("gridPos");
            var place = new Rectangle2D.Double(
                    grid.path("x").asInt(),
                    grid.path("y").asInt(),
                    grid.path("w").asInt(),
                    grid.path("h").asInt());
            assertThat(new Rectangle2D.Double(0, 0, 24, 1_000).contains(place))
                    .as(title)
                    .isTrue();
            assertThat(places).as(title).noneMatch(place::intersects);
            places.add(place);
        }
    }

    @Test
    void every_variable_that_is_used_is_defined_and_the_other_way_round() {
        var defined = new TreeSet<String>();
        dashboard
                .variables()
                .forEach(variable -> defined.add(variable.path("name").asText()));
        var used = new TreeSet<String>();
        VARIABLE.matcher(dashboard.json().toString()).results().forEach(result -> used.add(result.group(1)));
        used.removeAll(Set.of("__all", "__rate_interval", "__value"));

        assertThat(used).isEqualTo(defined).contains("DS_PROMETHEUS", "database", "destination", "instance");
        assertThat(dashboard.json().findValues("datasource"))
                .allSatisfy(source -> assertThat(source.path("uid").asText()).isEqualTo("${DS_PROMETHEUS}"));
    }

    @Test
    void what_no_relay_tells_would_be_seen() throws IOException {
        List<Sample> told = Sample.of("waybill_database_up{database=\"main\"} 1.0\n");

        assertThat(vain("max by (database) (waybill_database_up{database=\\\"main\\\"})", "{{database}}", told))
                .isEmpty();
        assertThat(vain("max(waybill_database_upp{database=\\\"main\\\"})", "", told))
                .containsExactly("P A: waybill_database_upp", "P A: waybill_database_upp has no label database");
        assertThat(vain("max(waybill_database_up{databas=\\\"main\\\"})", "", told))
                .containsExactly("P A: waybill_database_up has no label databas");
        assertThat(vain("max by (pool) (waybill_database_up{job=\\\"a\\\"})", "", told))
                .containsExactly("P A: no metric has the label pool");
        assertThat(vain("max by (job) (waybill_database_up{job=\\\"a\\\"})", "{{instance}}", told))
                .containsExactly("P A: the legend names instance, which is not kept");
        assertThat(vain("max(waybill_database_up)", "", told))
                .containsExactly("P A: waybill_database_up without a service");
    }

    private static List<String> vain(String expression, String legend, List<Sample> told) throws IOException {
        return Dashboard.of("""
                { "panels": [ { "title": "P", "targets": [ { "refId": "A", "expr": "%s", "legendFormat": "%s" } ] } ] }
                """.formatted(expression, legend)).askedInVain(told);
    }

    @Test
    void prometheus_reads_every_expression_and_computes_rates_and_ends_where_its_tool_is_there(@TempDir Path folder)
            throws Exception {
        InstalledTool promtool = InstalledTool.of("promtool", folder, "--version");
        var rules = new ArrayList<Map<String, String>>();
        var expressions = new HashMap<String, String>();
        for (Query query : dashboard.queries()) {
            String expression = chosen(query.expression());
            rules.add(Map.of("record", "panel:" + rules.size(), "expr", expression));
            expressions.put(query.where(), expression);
        }
        var file = Map.of("groups", List.of(Map.of("name", "panels", "rules", rules)));
        new ObjectMapper().writeValue(folder.resolve("panels.json").toFile(), file);
        String tests = Files.readString(Path.of("src/test/resources/grafana/panels.test.yml"));
        for (var panel : expressions.entrySet()) {
            tests = tests.replace("${" + panel.getKey() + "}", panel.getValue());
        }
        Files.writeString(folder.resolve("panels.test.yml"), tests);

        assertThat(tests).doesNotContain("${");
        assertThat(promtool.run("check", "rules", "panels.json")).contains(rules.size() + " rules found");
        promtool.run("test", "rules", "panels.test.yml");
    }

    /** With a service, and all of the rest, chosen. */
    private static String chosen(String expression) {
        return expression
                .replace("$__rate_interval", "5m")
                .replace("\"$job\"", "\"shop\"")
                .replaceAll("\\$(namespace|database|destination|instance)", ".*");
    }

    @Test
    void grafana_is_told_where_the_dashboard_and_prometheus_are() throws IOException {
        JsonNode provider = provisioned("dashboards").path("providers").path(0);
        assertThat(provider.path("type").asText()).isEqualTo("file");
        assertThat(provider.path("options").path("path").asText()).startsWith("/");
        JsonNode source = provisioned("datasources").path("datasources").path(0);
        assertThat(source.path("type").asText()).isEqualTo("prometheus");
        assertThat(source.path("url").asText()).isEqualTo("$PROMETHEUS_URL");
    }

    private static JsonNode provisioned(String kind) throws IOException {
        JsonNode file = new ObjectMapper()
                .valueToTree(new Yaml()
                        .load(Files.readString(Dashboard.FOLDER.resolve("provisioning/" + kind + "/waybill.yaml"))));
        assertThat(file.path("apiVersion").asInt()).isEqualTo(1);
        return file;
    }
}
