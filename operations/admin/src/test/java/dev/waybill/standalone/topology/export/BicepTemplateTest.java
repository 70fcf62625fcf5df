package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waybill.standalone.topology.export.Export.Format;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bicep is read back, and says what the template for Azure Resource Manager says. */
class BicepTemplateTest {
    private static final Pattern ID = Pattern.compile("(\\w+)\\.id");
    private static final Pattern GRANT = Pattern.compile("guid\\((\\w+)\\.id, (\\w+), ('[0-9a-f-]+')\\)");

    private final Map<String, String> ids = new HashMap<>();

    @ParameterizedTest
    @ValueSource(strings = {"standard", "premium"})
    void every_resource_is_the_same_as_in_the_template_for_azure_resource_manager(String tier) {
        ArmDocument arm =
                ArmDocument.of(Declared.export(Declared.full(tier), Format.ARM).text());
        Map<String, ObjectNode> bicep = BicepReader.resources(
                Declared.export(Declared.full(tier), Format.BICEP).text());
        List<JsonNode> expected = arm.resources();
        List<String> symbols = List.copyOf(bicep.keySet());
        assertThat(symbols).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            ids.put(symbols.get(i), ArmDocument.id(expected.get(i)));
            same(symbols.get(i), there(bicep, symbols.get(i)), expected.get(i));
        }
    }

    private void same(String symbol, ObjectNode bicep, JsonNode arm) {
        assertThat(bicep.get("@type").asText())
                .isEqualTo(
                        arm.get("type").asText() + "@" + arm.get("apiVersion").asText());
        List<String> names = ArmDocument.names(arm);
        assertThat(literalOrArm(bicep.get("name"))).as(symbol).isEqualTo(names.get(names.size() - 1));
        if (names.size() > 1) {
            String parent = bicep.get("parent").asText().replaceAll("[\\[\\]]", "");
            String type = arm.get("type").asText();
            assertThat(ids.get(parent))
                    .isEqualTo("resourceId('" + type.substring(0, type.lastIndexOf('/')) + "', "
                            + String.join(", ", names.subList(0, names.size() - 1)) + ")");
        }
        if (arm.has("scope")) {
            String scope = bicep.get("scope").asText().replaceAll("[\\[\\]]", "");
            assertThat(arm.get("scope").asText()).isEqualTo("[" + ids.get(scope) + "]");
        }
        for (String part : List.of("location", "kind", "sku", "properties")) {
            assertThat(bicep.has(part)).isEqualTo(arm.has(part));
            for (String leaf : arm.has(part) ? ArmDocument.leaves(arm.get(part)) : List.<String>of()) {
                same(symbol + leaf, bicep.get(part).at(leaf), arm.get(part).at(leaf));
            }
        }
    }

    private void same(String place, JsonNode bicep, JsonNode arm) {
        if (arm.isArray()) {
            assertThat(bicep).as(place).hasSameSizeAs(arm);
            for (int i = 0; i < arm.size(); i++) {
                for (String leaf : ArmDocument.leaves(arm.get(i))) {
                    same(place + i + leaf, bicep.get(i).at(leaf), arm.get(i).at(leaf));
                }
            }
        } else if (arm.isTextual() && !arm.asText().startsWith("[[")) {
            String expected = arm.asText().startsWith("[") && arm.asText().endsWith("]")
                    ? arm.asText().substring(1, arm.asText().length() - 1)
                    : "'" + arm.asText() + "'";
            assertThat(literalOrArm(bicep)).as(place).isEqualTo(expected);
        } else {
            assertThat(bicep.asText()).as(place).isEqualTo(arm.asText().replaceFirst("^\\[\\[", "["));
        }
    }

    /** An expression of Bicep, as Azure Resource Manager writes it; a text in quotes. */
    private String literalOrArm(JsonNode node) {
        String text = node.asText();
        if (!text.startsWith("[") || !text.endsWith("]")) {
            return "'" + text + "'";
        }
        String expression = text.substring(1, text.length() - 1);
        Matcher id = ID.matcher(expression);
        Matcher grant = GRANT.matcher(expression);
        if (id.matches()) {
            return there(ids, id.group(1));
        }
        if (grant.matches()) {
            return "guid(" + ids.get(grant.group(1)) + ", parameters('" + grant.group(2) + "'), " + grant.group(3)
                    + ")";
        }
        return expression
                .replaceFirst("^'\\$\\{(\\w+)}(.*)'$", "format('{0}$2', parameters('$1'))")
                .replaceFirst("^(\\w+) \\* (\\d+)$", "mul(parameters('$1'), $2)")
                .replaceFirst("^(\\w+)$", "parameters('$1')");
    }

    @Test
    void texts_that_bicep_would_obey_are_data() {
        Map<String, ObjectNode> resources = BicepReader.resources(
                Declared.export(Declared.full("premium"), Format.BICEP).text());

        assertThat(resources.values())
                .extracting(resource ->
                        resource.at("/properties/sqlFilter/sqlExpression").asText())
                .contains(Declared.HOSTILE, Declared.BRACKETS, "1=0", "a = 1");
    }

    @Test
    void a_target_is_made_before_what_forwards_to_it_and_like_names_stay_apart() {
        Map<String, ObjectNode> resources = BicepReader.resources(
                Declared.export(Declared.full("premium"), Format.BICEP).text());

        assertThat(there(resources, "queue_inbound").get("dependsOn").get(0).asText())
                .isEqualTo("[queue_orders_in]");
        assertThat(there(resources, "queue_orders_in").get("name").asText()).isEqualTo("orders-in");
        assertThat(there(resources, "queue_orders_in_2").get("name").asText()).isEqualTo("orders.in");
    }

    @Test
    void the_default_rule_does_not_close_before_the_declared_rules_are_there() {
        Map<String, ObjectNode> resources = BicepReader.resources(
                Declared.export(Declared.full("premium"), Format.BICEP).text());

        assertThat(there(resources, "rule_events_fraud_Default").get("dependsOn"))
                .extracting(node -> node.asText())
                .containsExactly("[rule_events_fraud_hostile]", "[rule_events_fraud_brackets]");
    }

    private static <T> T there(Map<String, T> all, String symbol) {
        return Optional.ofNullable(all.get(symbol)).orElseThrow(() -> new AssertionError(symbol));
    }
}
