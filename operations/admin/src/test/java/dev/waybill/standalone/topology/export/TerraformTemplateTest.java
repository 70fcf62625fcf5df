package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.export.Export.Format;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Terraform is read back, and says what the template for Azure Resource Manager says. */
class TerraformTemplateTest {
    private static final Map<Kind, String> TYPES = Map.of(
            Kind.QUEUE, "azurerm_servicebus_queue",
            Kind.TOPIC, "azurerm_servicebus_topic",
            Kind.SUBSCRIPTION, "azurerm_servicebus_subscription",
            Kind.RULE, "azurerm_servicebus_subscription_rule");

    private final String text =
            Declared.export(Declared.full("premium"), Format.TERRAFORM).text();

    private final Map<String, Map<String, String>> blocks = TerraformReader.read(text);

    @Test
    void every_entity_is_there_with_every_property_and_the_value_of_azure_resource_manager() {
        ArmDocument arm = ArmDocument.of(
                Declared.export(Declared.full("premium"), Format.ARM).text());
        int checked = 0;
        for (Entity entity : Declared.template("premium").entities()) {
            if (entity.kind() == Kind.RULE) {
                continue;
            }
            Map<String, String> block = block(entity);
            JsonNode properties = arm.properties(type(entity), entity.name());
            for (String name : (Iterable<String>) properties::fieldNames) {
                String value = block.get(named(name));
                assertThat(value).as(entity.name() + " " + name).isNotNull();
                if (!name.equals("maxSizeInMegabytes")) {
                    JsonNode expected = properties.get(name);
                    assertThat(value).isEqualTo((expected.isTextual() ? "=" : "") + expected.asText());
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(40);
    }

    private Map<String, String> block(Entity entity) {
        Map<String, String> block = blocks.get("resource " + TYPES.get(entity.kind()) + " " + entity.symbol());
        assertThat(block).as(entity.symbol()).isNotNull().containsEntry("name", "=" + entity.name());
        return block;
    }

    private static String type(Entity entity) {
        String of = entity.parent() == null ? "Microsoft.ServiceBus/namespaces" : type(entity.parent());
        return of + "/" + entity.kind().type();
    }

    private static String named(String property) {
        return switch (property) {
            case "enablePartitioning" -> "partitioning_enabled";
            case "defaultMessageTimeToLive" -> "default_message_ttl";
            default -> property.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT);
        };
    }

    @Test
    void no_changed_flag_makes_terraform_delete_messages() {
        assertThat(blocks.entrySet())
                .filteredOn(block ->
                        block.getKey().matches("resource azurerm_servicebus_(namespace|queue|topic|subscription) .*"))
                .hasSize(10)
                .allSatisfy(block -> assertThat(block.getValue()).containsEntry("lifecycle0.prevent_destroy", "true"));
    }

    @Test
    void texts_that_terraform_would_obey_are_data() {
        assertThat(blocks.get("resource azurerm_servicebus_subscription_rule rule_events_fraud_hostile"))
                .containsEntry("sql_filter", "=" + Declared.HOSTILE)
                .containsEntry("subscription_id", "azurerm_servicebus_subscription.subscription_events_fraud.id");
        assertThat(blocks.get("resource azurerm_servicebus_subscription_rule rule_events_fraud_brackets"))
                .containsEntry("sql_filter", "=" + Declared.BRACKETS);
        assertThat(blocks.values().stream().filter(block -> block.containsKey("description")))
                .anySatisfy(block -> assertThat(block.get("description")).contains("fraud ${desk} \"'\n`"));
    }

    @Test
    void targets_roles_alerts_and_the_private_endpoint_are_there() {
        assertThat(blocks.get("resource azurerm_servicebus_queue queue_inbound"))
                .containsEntry("depends_on", "[azurerm_servicebus_queue.queue_orders_in]");
        assertThat(blocks.get("resource azurerm_servicebus_namespace namespace"))
                .containsEntry("local_auth_enabled", "false")
                .containsEntry("public_network_access_enabled", "false")
                .containsEntry("minimum_tls_version", "=1.2")
                .containsEntry("sku", "=Premium");
        Template template = Declared.template("premium");
        assertThat(blocks.keySet().stream().filter(head -> head.contains("azurerm_role_assignment")))
                .hasSameSizeAs(template.grants());
        assertThat(blocks.keySet().stream().filter(head -> head.contains("azurerm_monitor_metric_alert")))
                .hasSameSizeAs(template.alerts());
        assertThat(blocks).containsKey("resource azurerm_private_endpoint private_endpoint");
        assertThat(blocks.get("resource azurerm_monitor_metric_alert alert_fills_queue_orders"))
                .containsEntry("criteria0.threshold", "var.max_size_in_megabytes * 838860");
        Export export = Declared.export(Declared.full("premium"), Format.TERRAFORM);
        assertThat(export.text()).doesNotContain("Data Owner");
        assertThat(export.warnings()).anySatisfy(warning -> assertThat(warning).contains("$Default"));
    }

    @Test
    void a_plan_does_not_stop_at_a_provider_without_features_or_at_the_current_one() {
        assertThat(text).containsPattern("\nprovider \"azurerm\" \\{\n  # .*\n  features \\{}\n}\n");
        assertThat(blocks.get("terraform")).containsValue("=>= 4.40.0, < 6.0.0");
    }

    /** The provider's own default is off, Azure's is on. */
    @Test
    void terraform_does_not_turn_batched_operations_off() {
        assertThat(blocks.entrySet())
                .filteredOn(block -> block.getKey().matches("resource azurerm_servicebus_(topic|subscription) .*"))
                .hasSize(4)
                .allSatisfy(block -> assertThat(block.getValue()).containsEntry("batched_operations_enabled", "true"));
    }

    @Test
    void a_limit_that_the_provider_refuses_is_told_and_does_not_spoil_the_file() {
        Export export = Declared.export("""
                namespace: { main: { host: waybill-test.servicebus.windows.net, tier: premium } }
                destination:
                  small: { max-message-size: 512KiB }
                  least: { max-message-size: 1MiB }
                """, Format.TERRAFORM);

        assertThat(TerraformReader.read(export.text()).get("resource azurerm_servicebus_queue queue_small"))
                .doesNotContainKey("max_message_size_in_kilobytes");
        assertThat(TerraformReader.read(export.text()).get("resource azurerm_servicebus_queue queue_least"))
                .containsEntry("max_message_size_in_kilobytes", "1024");
        assertThat(export.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("'small'", "1 MiB"));
    }

    @Test
    void names_that_differ_in_capitals_or_hyphens_do_not_share_a_variable() {
        String yaml = """
                namespace: { main: { host: waybill-test.servicebus.windows.net, tier: standard } }
                destination: { fooBar: {}, foo-bar: {}, foo.bar: {}, foo-bar-2: {} }
                consumer:
                  fooBar: { entity: fooBar }
                  foo-bar: { entity: foo-bar }
                """;
        Configuration configuration = Declared.configuration(yaml);
        Template template =
                Export.template(configuration, Declaration.of(configuration).get(0));

        assertThat(TerraformReader.read(Declared.export(yaml, Format.TERRAFORM).text())
                        .keySet())
                .as("the reader refuses what is there twice")
                .filteredOn(head -> head.startsWith("variable backlog_queue_foo_bar"))
                .hasSize(4);
        assertThat(Inputs.of(template))
                .extracting(input -> Symbols.snake(input.name()))
                .doesNotHaveDuplicates();
    }

    @Test
    void every_variable_that_is_used_is_declared() {
        blocks.values().stream()
                .flatMap(block -> block.values().stream())
                .filter(value -> !value.startsWith("="))
                .flatMap(value -> java.util.regex.Pattern.compile("var\\.(\\w+)")
                        .matcher(value)
                        .results())
                .forEach(use -> assertThat(blocks).containsKey("variable " + use.group(1)));
    }
}
