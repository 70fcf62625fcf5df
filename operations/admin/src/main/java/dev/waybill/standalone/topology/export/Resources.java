package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.topology.export.Expression.Given;
import dev.waybill.standalone.topology.export.Expression.GrantName;
import dev.waybill.standalone.topology.export.Expression.Named;
import dev.waybill.standalone.topology.export.Expression.ResourceId;
import dev.waybill.standalone.topology.export.Expression.RoleDefinition;
import dev.waybill.standalone.topology.export.Expression.Times;
import dev.waybill.standalone.topology.export.Resource.Context;
import dev.waybill.standalone.topology.export.Template.Alert;
import dev.waybill.standalone.topology.export.Template.Criterion;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Grant;
import dev.waybill.standalone.topology.export.Template.Kind;
import dev.waybill.standalone.topology.export.Template.Parameter;
import dev.waybill.standalone.topology.export.Template.Product;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A template as Azure resources, for Bicep and ARM JSON. Not thread-safe. */
final class Resources {
    private static final String SERVICE_BUS = "@2024-01-01";
    private static final String NAMESPACE = "Microsoft.ServiceBus/namespaces";
    private static final String GLOBAL = "global";

    static final String ALERT = "Microsoft.Insights/metricAlerts";

    static final String LOG_ALERT = "Microsoft.Insights/scheduledQueryRules";

    static final String WORKBOOK = "Microsoft.Insights/workbooks";

    private final Template template;
    private final List<Resource> all = new ArrayList<>();
    private final Map<String, Resource> bySymbol = new LinkedHashMap<>();
    private final Resource namespace;

    private Resources(Template template) {
        this.template = template;
        this.namespace = namespace();
    }

    static List<Resource> of(Template template) {
        var resources = new Resources(template);
        template.entities().forEach(resources::entity);
        template.grants().forEach(resources::grant);
        resources.diagnostics();
        template.alerts().forEach(resources::alert);
        template.logAlerts().forEach(alert -> resources.add(new LogAlertResource(resources.namespace).of(alert)));
        resources.workbook();
        if (template.space().premium()) {
            new PrivateAccess(resources.namespace).resources().forEach(resources::add);
        }
        return List.copyOf(resources.all);
    }

    private Resource add(Resource resource) {
        all.add(resource);
        bySymbol.put(resource.symbol(), resource);
        return resource;
    }

    private Resource namespace() {
        boolean premium = template.space().premium();
        Map<String, Object> sku =
                map("name", template.space().sku(), "tier", template.space().sku());
        Map<String, Object> properties = map(
                "minimumTlsVersion",
                "1.2",
                "disableLocalAuth",
                true,
                "publicNetworkAccess",
                premium ? "Disabled" : "Enabled");
        if (premium) {
            sku.put("capacity", new Given(Export.UNITS));
        }
        return add(new Resource(
                "namespace",
                NAMESPACE + SERVICE_BUS,
                new Given(Export.NAME),
                Context.NONE,
                map("location", new Given(Export.LOCATION), "sku", sku, "properties", properties)));
    }

    private void entity(Entity entity) {
        Resource parent =
                entity.parent() == null ? namespace : resource(entity.parent().symbol());
        var context = new Context(
                parent, null, entity.after().stream().map(this::resource).toList());
        String type = parent.plainType() + "/" + entity.kind().type() + SERVICE_BUS;
        Map<String, Object> properties = entity.kind() == Kind.RULE ? rule(entity) : properties(entity);
        add(new Resource(entity.symbol(), type, entity.name(), context, map("properties", properties)));
    }

    private Resource resource(String symbol) {
        return Objects.requireNonNull(bySymbol.get(symbol), symbol);
    }

    private static Map<String, Object> properties(Entity entity) {
        var properties = new LinkedHashMap<String, Object>();
        entity.properties().forEach((name, value) -> properties.put(name, value(value)));
        return properties;
    }

    private static Map<String, Object> rule(Entity rule) {
        return map("filterType", "SqlFilter", "sqlFilter", properties(rule));
    }

    private static Object value(Object value) {
        if (value instanceof Parameter parameter) {
            return new Given(parameter.name());
        }
        return value instanceof Product product ? new Times(product.parameter().name(), product.factor()) : value;
    }

    private void grant(Grant grant) {
        Resource scope = resource(grant.scope().symbol());
        String principal = grant.identity().parameter();
        String role = grant.role().id();
        add(new Resource(
                grant.symbol(),
                "Microsoft.Authorization/roleAssignments@2022-04-01",
                new GrantName(scope, principal, role),
                Context.about(scope),
                map(
                        "properties",
                        map(
                                "roleDefinitionId",
                                new RoleDefinition(role),
                                "principalId",
                                new Given(principal),
                                "principalType",
                                "ServicePrincipal"))));
    }

    private void diagnostics() {
        add(new Resource(
                "diagnostics",
                "Microsoft.Insights/diagnosticSettings@2021-05-01-preview",
                "waybill",
                Context.about(namespace),
                map(
                        "properties",
                        map(
                                "workspaceId",
                                new Given(Export.WORKSPACE),
                                "logs",
                                List.of(map("categoryGroup", "allLogs", "enabled", true)),
                                "metrics",
                                List.of(map("category", "AllMetrics", "enabled", true))))));
    }

    private void alert(Alert alert) {
        Map<String, Object> criteria = map(
                "odata.type",
                "Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria",
                "allOf",
                alert.criteria().stream().map(Resources::criterion).toList());
        Map<String, Object> properties = map(
                "description",
                alert.text(),
                "severity",
                2,
                "enabled",
                true,
                "scopes",
                List.of(new ResourceId(namespace)));
        properties.put("evaluationFrequency", "PT1M");
        properties.put("windowSize", "PT" + alert.minutes() + "M");
        properties.put("autoMitigate", true);
        properties.put("criteria", criteria);
        properties.put("actions", List.of(map("actionGroupId", new Given(Export.ACTION_GROUP))));
        add(new Resource(
                alert.symbol(),
                ALERT + "@2018-03-01",
                new Named(alert.name()),
                Context.NONE,
                map("location", GLOBAL, "properties", properties)));
    }

    private void workbook() {
        add(new Resource(
                "workbook",
                WORKBOOK + "@2023-06-01",
                Workbook.id(template),
                Context.NONE,
                map(
                        "location",
                        new Given(Export.LOCATION),
                        "kind",
                        "shared",
                        "properties",
                        map(
                                "displayName",
                                new Named(Workbook.NAME),
                                "category",
                                Workbook.CATEGORY,
                                "sourceId",
                                new ResourceId(namespace),
                                "serializedData",
                                Workbook.json(template)))));
    }

    private static Map<String, Object> criterion(Criterion criterion) {
        Map<String, Object> all = map(
                "name",
                criterion.metric(),
                "criterionType",
                "StaticThresholdCriterion",
                "metricName",
                criterion.metric());
        all.put("metricNamespace", NAMESPACE);
        all.put("operator", criterion.operator());
        all.put("threshold", value(criterion.threshold()));
        all.put("timeAggregation", criterion.aggregation());
        all.put(
                "dimensions",
                List.of(map("name", "EntityName", "operator", "Include", "values", List.of(criterion.entity()))));
        return all;
    }

    /** A map that keeps this order. */
    static Map<String, Object> map(Object... namesAndValues) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }
}
