package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.export.Export.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A shell runs the script, with a command line of Azure that only writes down what it is told. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class AzScriptTest {
    private static final String RECORDER = """
            #!/bin/sh
            printf '%s\\0' "$@" >> "$RECORD"
            printf '\\1\\0' >> "$RECORD"
            case "$*" in
              *"private-dns"*" create "*) exit "${ZONE:-0}" ;;
              *"private-dns"*" show "*) exit "${SHOWN:-3}" ;;
              *"rule delete"*) exit "${DELETED:-0}" ;;
              *"rule list"*) printf '%s' "${LEFT:-}"; exit "${LISTED:-0}" ;;
            esac
            echo /subscriptions/s/resourceGroups/group/providers/Microsoft.ServiceBus/namespaces/n
            """;

    @TempDir
    private Path directory;

    @Test
    void the_shell_hands_every_text_on_as_it_is_declared() throws Exception {
        List<List<String>> commands = run(Declared.full("premium").replace("a = 1", "@sys = 1"));

        List<String> hostile = command(commands, "rule create", "--name=hostile");
        assertThat(hostile)
                .contains(
                        "--filter-sql-expression=" + Declared.HOSTILE,
                        "--topic-name=events",
                        "--subscription-name=fraud");
        assertThat(command(commands, "rule create", "--name=brackets"))
                .contains("--filter-sql-expression=" + Declared.BRACKETS);
        assertThat(command(commands, "rule create", "--name=$Default"))
                .as("would be read from a file")
                .contains("--filter-sql-expression= @sys = 1");
        assertThat(command(commands, "rule delete", "--name=$Default")).contains("--subscription-name=fraud");
    }

    @Test
    void a_default_rule_that_could_not_be_deleted_is_no_success() throws Exception {
        String yaml = Declared.full("standard");

        assertThat(exitCode(yaml, Map.of("DELETED", "3", "LEFT", "$Default")))
                .as("it is there, and lets everything in")
                .isEqualTo(1);
        assertThat(Files.readString(directory.resolve("out"))).contains("$Default of fraud lets everything in");
        assertThat(exitCode(yaml, Map.of("DELETED", "3", "LISTED", "4")))
                .as("nobody knows whether it is there")
                .isEqualTo(4);
        assertThat(exitCode(yaml, Map.of("DELETED", "3"))).as("it is absent").isZero();
    }

    @Test
    void entities_are_made_with_what_is_declared_targets_first() throws Exception {
        List<List<String>> commands = run(Declared.full("standard"));

        List<String> orders = command(commands, "queue create", "--name=orders");
        assertThat(orders)
                .contains(
                        "--enable-session=true",
                        "--lock-duration=PT2M",
                        "--default-message-time-to-live=P7D",
                        "--max-delivery-count=10",
                        "--forward-dead-lettered-messages-to=grave/yard",
                        "--max-size=1024");
        assertThat(commands.indexOf(command(commands, "queue create", "--name=orders-in")))
                .isLessThan(commands.indexOf(command(commands, "queue create", "--name=inbound")));
        assertThat(commands)
                .filteredOn(command -> String.join(" ", command).startsWith("role assignment"))
                .hasSameSizeAs(Declared.template("standard").grants())
                .allSatisfy(command -> assertThat(String.join(" ", command)).doesNotContain("Owner"));
        assertThat(commands)
                .filteredOn(command -> String.join(" ", command).matches("(?s)rest --method put .*/metricAlerts/.*"))
                .hasSameSizeAs(Declared.template("standard").alerts());
        JsonNode fills = alert(commands, "fills-queue-orders").at("/properties/criteria/allOf/0");
        assertThat(fills.get("threshold").asLong()).isEqualTo(858_992_640L);
    }

    /** The command that makes alerts refuses slashes, and the words of its grammar, in names of entities. */
    @Test
    void an_alert_is_made_whatever_its_entity_is_called() throws Exception {
        String yaml = """
                namespace: { main: { host: waybill-test.servicebus.windows.net, tier: standard } }
                destination:
                  shop/orders: {}
                  out-of-stock: {}
                  where.and.since: {}
                """;

        List<List<String>> commands = run(yaml);

        assertThat(commands).noneSatisfy(command -> assertThat(command).contains("--condition"));
        assertThat(entities(commands, "backlog-"))
                .containsExactlyInAnyOrder("shop/orders", "out-of-stock", "where.and.since");
        JsonNode diverges = alert(commands, "diverges-queue-out-of-stock");
        assertThat(diverges.at("/properties/scopes/0").asText())
                .isEqualTo("/subscriptions/s/resourceGroups/group/providers/Microsoft.ServiceBus/namespaces/n");
        assertThat(diverges.at("/properties/actions/0/actionGroupId").asText()).isEqualTo("given");
        assertThat(diverges.at("/properties/criteria/allOf")).hasSize(2);
        assertThat(diverges.at("/properties/criteria/allOf/1/operator").asText())
                .isEqualTo("LessThanOrEqual");
        assertThat(alert(commands, "backlog-queue-out-of-stock")
                        .at("/properties/criteria/allOf/0/threshold")
                        .isInt())
                .isTrue();
    }

    @Test
    void the_workbook_and_the_alert_on_logs_reach_azure_as_every_other_format_has_them() throws Exception {
        List<List<String>> commands = run(Declared.full("premium"));
        Template template = Declared.template("premium");

        JsonNode workbook = body(commands, "/workbooks/" + Workbook.id(template) + "?");
        JsonNode rule = body(commands, "/scheduledQueryRules/waybill-test-dead-letters-log?");

        assertThat(workbook.at("/properties/serializedData").asText()).isEqualTo(Workbook.json(template));
        assertThat(workbook.at("/properties/displayName").asText()).isEqualTo("waybill-test-waybill");
        assertThat(workbook.at("/properties/sourceId").asText()).endsWith("/namespaces/n");
        assertThat(rule.at("/properties/criteria/allOf/0/query").asText())
                .isEqualTo(template.logAlerts().get(0).query());
        assertThat(rule.at("/properties/enabled").isBoolean()).isTrue();
        assertThat(rule.get("location").asText()).isEqualTo("given");
    }

    private static JsonNode body(List<List<String>> commands, String part) throws IOException {
        List<String> command = commands.stream()
                .filter(each -> each.get(0).equals("rest") && each.get(4).contains(part))
                .findFirst()
                .orElseThrow();
        return new ObjectMapper().readTree(command.get(6));
    }

    private static List<String> entities(List<List<String>> commands, String alerts) throws IOException {
        var entities = new ArrayList<String>();
        for (List<String> command : commands) {
            if (command.get(0).equals("rest") && command.get(4).contains(alerts)) {
                entities.add(new ObjectMapper()
                        .readTree(command.get(6))
                        .at("/properties/criteria/allOf/0/dimensions/0/values/0")
                        .asText());
            }
        }
        return entities;
    }

    private static JsonNode alert(List<List<String>> commands, String name) throws IOException {
        String url = "/subscriptions/s/resourceGroups/group/providers/Microsoft.Insights/metricAlerts/waybill-test-"
                + name + "?api-version=2018-03-01";
        return new ObjectMapper()
                .readTree(command(commands, "rest --method put --url", url).get(6));
    }

    @Test
    void a_namespace_that_is_shut_off_from_the_public_network_is_within_reach_before_anything_else_may_fail()
            throws Exception {
        List<List<String>> commands = run(Declared.full("premium"));

        List<String> verbs = commands.stream()
                .map(command -> String.join(" ", command).replaceFirst(" -.*", ""))
                .distinct()
                .toList();
        assertThat(verbs)
                .containsSubsequence(
                        "servicebus namespace create",
                        "network private-endpoint create",
                        "servicebus queue create",
                        "rest");
    }

    /** Azure's command line refuses to create a zone, or a link of it, that is there. */
    @Test
    void a_second_run_does_not_end_at_the_zone_of_the_first_one() throws Exception {
        String yaml = Declared.full("premium");

        assertThat(exitCode(yaml, Map.of("SHOWN", "0", "ZONE", "5"))).isZero();
        assertThat(exitCode(yaml, Map.of("ZONE", "5")))
                .as("a zone that cannot be made")
                .isEqualTo(5);
    }

    private static List<String> command(List<List<String>> commands, String verb, String argument) {
        return commands.stream()
                .filter(command -> String.join(" ", command).contains(verb) && command.contains(argument))
                .findFirst()
                .orElseThrow(() -> new AssertionError(verb + " " + argument + " in " + commands));
    }

    private List<List<String>> run(String yaml) throws IOException, InterruptedException {
        int exitCode = exitCode(yaml, Map.of());
        assertThat(exitCode).as(Files.readString(directory.resolve("out"))).isZero();
        return commands(Files.readString(directory.resolve("record")));
    }

    private int exitCode(String yaml, Map<String, String> answers) throws IOException, InterruptedException {
        Export export = Declared.export(yaml, Format.AZ);
        Path script = Files.writeString(directory.resolve("topology.sh"), export.text());
        Path az = Files.writeString(directory.resolve("az"), RECORDER);
        assertThat(az.toFile().setExecutable(true)).isTrue();
        var shell = new ProcessBuilder("/bin/sh", script.toString()).redirectErrorStream(true);
        shell.environment().put("PATH", directory + ":" + System.getenv("PATH"));
        shell.environment().put("RECORD", directory.resolve("record").toString());
        shell.environment().put("resource_group", "group");
        shell.environment().putAll(answers);
        Inputs.of(template(yaml)).stream()
                .filter(input -> input.usual().isEmpty())
                .forEach(input -> shell.environment().put(Symbols.snake(input.name()), "given"));
        Process process =
                shell.redirectOutput(directory.resolve("out").toFile()).start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static Template template(String yaml) {
        Configuration configuration = Declared.configuration(yaml);
        return Export.template(configuration, Declaration.of(configuration).get(0));
    }

    private static List<List<String>> commands(String record) {
        var commands = new ArrayList<List<String>>();
        for (String command : record.split("\1\0", -1)) {
            commands.add(Arrays.asList(command.split("\0", -1)));
        }
        return commands;
    }
}
