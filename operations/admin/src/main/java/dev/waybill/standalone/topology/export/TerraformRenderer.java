package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.topology.export.Inputs.Input;
import dev.waybill.standalone.topology.export.Template.Alert;
import dev.waybill.standalone.topology.export.Template.Criterion;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Grant;
import dev.waybill.standalone.topology.export.Template.Kind;
import dev.waybill.standalone.topology.export.Template.LogAlert;
import dev.waybill.standalone.topology.export.Template.Parameter;
import dev.waybill.standalone.topology.export.Template.Product;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Renders a template for Terraform's provider azurerm. */
final class TerraformRenderer {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("requiresSession", "requires_session"),
            Map.entry("requiresDuplicateDetection", "requires_duplicate_detection"),
            Map.entry("duplicateDetectionHistoryTimeWindow", "duplicate_detection_history_time_window"),
            Map.entry("enablePartitioning", "partitioning_enabled"),
            Map.entry("maxSizeInMegabytes", "max_size_in_megabytes"),
            Map.entry("maxMessageSizeInKilobytes", "max_message_size_in_kilobytes"),
            Map.entry("lockDuration", "lock_duration"),
            Map.entry("maxDeliveryCount", "max_delivery_count"),
            Map.entry("defaultMessageTimeToLive", "default_message_ttl"),
            Map.entry("deadLetteringOnMessageExpiration", "dead_lettering_on_message_expiration"),
            Map.entry("forwardTo", "forward_to"),
            Map.entry("forwardDeadLetteredMessagesTo", "forward_dead_lettered_messages_to"),
            Map.entry("sqlExpression", "sql_filter"));

    /** The provider's minimum message size limit, in KiB. */
    private static final int SMALLEST_LIMIT = 1_024;

    private static final int LARGEST_LIMIT = 102_400;

    private static final String NAMESPACE_ID = "azurerm_servicebus_namespace.namespace.id";

    private final Template template;
    private final Blocks out = new Blocks();

    private TerraformRenderer(Template template) {
        this.template = template;
    }

    static String render(Template template) {
        var renderer = new TerraformRenderer(template);
        renderer.head();
        renderer.namespace();
        template.entities().stream().filter(Entity::isWritten).forEach(renderer::entity);
        template.grants().forEach(renderer::grant);
        renderer.diagnostics();
        template.alerts().forEach(renderer::alert);
        template.logAlerts().forEach(renderer::logAlert);
        renderer.workbook();
        if (template.space().premium()) {
            renderer.privateAccess();
        }
        return renderer.out.toString();
    }

    private static boolean takes(String property, Object value) {
        return !property.equals("maxMessageSizeInKilobytes")
                || (value instanceof Integer size && size >= SMALLEST_LIMIT && size <= LARGEST_LIMIT);
    }

    /** Whether the provider supports every value of an entity. */
    static boolean takes(Entity entity) {
        return entity.properties().entrySet().stream()
                .allMatch(property -> takes(property.getKey(), property.getValue()));
    }

    private void head() {
        out.line("# Made by waybill-relay topology export from the configuration: change that, not this.");
        out.open("terraform").open("required_providers").open("azurerm =");
        out.text("source", "hashicorp/azurerm").text("version", ">= 4.40.0, < 6.0.0");
        out.close().close().close();
        out.open("provider \"azurerm\"");
        out.line("# Take this block away where another file configures the provider.");
        out.line("features {}").close();
        out.open("variable \"resource_group_name\"").plain("type", "string");
        out.text("description", "The resource group.").close();
        Inputs.of(template).forEach(this::variable);
    }

    private void variable(Input input) {
        out.open("variable \"" + Symbols.snake(input.name()) + "\"")
                .plain("type", input.type().terraform());
        out.text("description", input.text());
        input.usual().ifPresent(usual -> {
            if (input.isPlain()) {
                out.plain("default", usual);
            } else {
                out.text("default", usual);
            }
        });
        out.close();
    }

    private static String variable(String parameter) {
        return "var." + Symbols.snake(parameter);
    }

    private void namespace() {
        boolean premium = template.space().premium();
        out.open("resource \"azurerm_servicebus_namespace\" \"namespace\"").plain("name", variable(Export.NAME));
        group().plain("location", variable(Export.LOCATION));
        out.text("sku", template.space().sku()).text("minimum_tls_version", "1.2");
        out.plain("local_auth_enabled", false).plain("public_network_access_enabled", !premium);
        if (premium) {
            out.plain("capacity", variable(Export.UNITS)).plain("premium_messaging_partitions", 1);
        }
        keep();
        out.close();
    }

    private Blocks group() {
        return out.plain("resource_group_name", "var.resource_group_name");
    }

    private void entity(Entity entity) {
        out.open("resource \"" + type(entity) + "\" \"" + entity.symbol() + "\"")
                .text("name", entity.name());
        if (entity.parent() == null) {
            out.plain("namespace_id", NAMESPACE_ID);
        } else {
            String of = entity.kind() == Kind.SUBSCRIPTION ? "topic_id" : "subscription_id";
            out.plain(of, id(entity.parent()));
        }
        if (entity.kind() == Kind.RULE) {
            out.text("filter_type", "SqlFilter");
        }
        entity.properties().forEach((name, value) -> {
            if (takes(name, value)) {
                argument(Objects.requireNonNull(NAMES.get(name), name), value);
            }
        });
        if (entity.kind() == Kind.TOPIC || entity.kind() == Kind.SUBSCRIPTION) {
            out.plain("batched_operations_enabled", true);
        }
        if (!entity.after().isEmpty()) {
            out.plain(
                    "depends_on",
                    template.entities().stream()
                            .filter(other -> entity.after().contains(other.symbol()))
                            .map(other -> type(other) + "." + other.symbol())
                            .collect(Collectors.joining(", ", "[", "]")));
        }
        if (entity.kind() != Kind.RULE) {
            keep();
        }
        out.close();
    }

    // Without this, Terraform would replace an entity, and delete its messages, to change a fixed setting.
    private void keep() {
        out.open("lifecycle").plain("prevent_destroy", true).close();
    }

    private void argument(String name, Object value) {
        if (value instanceof String text) {
            out.text(name, text);
        } else if (value instanceof Parameter parameter) {
            out.plain(name, variable(parameter.name()));
        } else if (value instanceof Product product) {
            out.plain(name, variable(product.parameter().name()) + " * " + product.factor());
        } else {
            out.plain(name, value);
        }
    }

    private static String type(Entity entity) {
        return switch (entity.kind()) {
            case QUEUE -> "azurerm_servicebus_queue";
            case TOPIC -> "azurerm_servicebus_topic";
            case SUBSCRIPTION -> "azurerm_servicebus_subscription";
            case RULE -> "azurerm_servicebus_subscription_rule";
        };
    }

    private static String id(Entity entity) {
        return type(entity) + "." + entity.symbol() + ".id";
    }

    private void grant(Grant grant) {
        out.open("resource \"azurerm_role_assignment\" \"" + grant.symbol() + "\"");
        out.plain("scope", id(grant.scope()))
                .text("role_definition_name", grant.role().title());
        out.plain("principal_id", variable(grant.identity().parameter()));
        out.text("principal_type", "ServicePrincipal").close();
    }

    private void diagnostics() {
        out.open("resource \"azurerm_monitor_diagnostic_setting\" \"diagnostics\"")
                .text("name", "waybill");
        out.plain("target_resource_id", NAMESPACE_ID);
        out.plain("log_analytics_workspace_id", variable(Export.WORKSPACE));
        out.open("enabled_log").text("category_group", "allLogs").close();
        out.open("enabled_metric").text("category", "AllMetrics").close().close();
    }

    private void alert(Alert alert) {
        out.open("resource \"azurerm_monitor_metric_alert\" \"" + alert.symbol() + "\"");
        out.plain("name", "\"${" + variable(Export.NAME) + "}-" + alert.name() + "\"");
        group().plain("scopes", "[" + NAMESPACE_ID + "]");
        out.text("description", alert.text()).plain("severity", 2);
        out.text("frequency", "PT1M").text("window_size", "PT" + alert.minutes() + "M");
        alert.criteria().forEach(this::criterion);
        out.open("action")
                .plain("action_group_id", variable(Export.ACTION_GROUP))
                .close()
                .close();
    }

    private void logAlert(LogAlert alert) {
        out.open("resource \"azurerm_monitor_scheduled_query_rules_alert_v2\" \"" + alert.symbol() + "\"");
        out.plain("name", "\"${" + variable(Export.NAME) + "}-" + alert.name() + "\"");
        group().plain("location", variable(Export.LOCATION)).plain("scopes", "[" + NAMESPACE_ID + "]");
        out.text("description", alert.text()).plain("severity", 2);
        out.text("evaluation_frequency", "PT" + LogAlert.EVERY + "M")
                .text("window_duration", "PT" + alert.minutes() + "M");
        out.plain("enabled", variable(Export.LOG_ALERT_WANTED));
        out.plain("auto_mitigation_enabled", true).plain("skip_query_validation", true);
        out.open("criteria").text("query", alert.query());
        out.text("time_aggregation_method", "Minimum").text("metric_measure_column", alert.column());
        out.text("operator", "GreaterThan").plain("threshold", 0);
        out.open("failing_periods").plain("minimum_failing_periods_to_trigger_alert", 1);
        out.plain("number_of_evaluation_periods", 1).close().close();
        out.open("action").plain("action_groups", "[" + variable(Export.ACTION_GROUP) + "]");
        out.close().close();
    }

    private void workbook() {
        out.open("resource \"azurerm_application_insights_workbook\" \"workbook\"");
        out.text("name", Workbook.id(template));
        group().plain("location", variable(Export.LOCATION));
        out.plain("display_name", "\"${" + variable(Export.NAME) + "}-" + Workbook.NAME + "\"");
        out.text("category", Workbook.CATEGORY).plain("source_id", "lower(" + NAMESPACE_ID + ")");
        out.text("data_json", Workbook.json(template)).close();
    }

    private void criterion(Criterion criterion) {
        out.open("criteria").text("metric_namespace", "Microsoft.ServiceBus/namespaces");
        out.text("metric_name", criterion.metric()).text("aggregation", criterion.aggregation());
        out.text("operator", criterion.operator());
        argument("threshold", criterion.threshold());
        out.open("dimension").text("name", "EntityName").text("operator", "Include");
        out.plain("values", "[" + Blocks.quoted(criterion.entity()) + "]")
                .close()
                .close();
    }

    private void privateAccess() {
        out.open("resource \"azurerm_private_dns_zone\" \"private_dns_zone\"");
        out.text("name", PrivateAccess.ZONE);
        group().close();
        out.open("resource \"azurerm_private_dns_zone_virtual_network_link\" \"private_dns_link\"");
        out.text("name", "waybill");
        group().plain("private_dns_zone_name", "azurerm_private_dns_zone.private_dns_zone.name");
        out.plain("virtual_network_id", variable(Export.NETWORK)).close();
        out.open("resource \"azurerm_private_endpoint\" \"private_endpoint\"");
        out.plain("name", "\"${" + variable(Export.NAME) + "}-endpoint\"");
        group().plain("location", variable(Export.LOCATION)).plain("subnet_id", variable(Export.SUBNET));
        out.open("private_service_connection").text("name", "servicebus");
        out.plain("private_connection_resource_id", NAMESPACE_ID).plain("is_manual_connection", false);
        out.plain("subresource_names", "[\"namespace\"]").close();
        out.open("private_dns_zone_group").text("name", "default");
        out.plain("private_dns_zone_ids", "[azurerm_private_dns_zone.private_dns_zone.id]")
                .close()
                .close();
    }
}
