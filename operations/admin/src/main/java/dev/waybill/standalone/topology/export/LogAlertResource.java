package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.topology.export.Expression.Given;
import dev.waybill.standalone.topology.export.Expression.Named;
import dev.waybill.standalone.topology.export.Expression.ResourceId;
import dev.waybill.standalone.topology.export.Resource.Context;
import dev.waybill.standalone.topology.export.Template.LogAlert;
import java.util.List;
import java.util.Map;

/** Alerts on logs as Azure resources, scoped to the namespace. */
record LogAlertResource(Resource namespace) {
    Resource of(LogAlert alert) {
        Map<String, Object> criterion = Resources.map(
                "query",
                alert.query(),
                "timeAggregation",
                "Minimum",
                "metricMeasureColumn",
                alert.column(),
                "operator",
                "GreaterThan",
                "threshold",
                0);
        criterion.put("failingPeriods", Resources.map("numberOfEvaluationPeriods", 1, "minFailingPeriodsToAlert", 1));
        Map<String, Object> properties = Resources.map(
                "description",
                alert.text(),
                "severity",
                2,
                "enabled",
                new Given(Export.LOG_ALERT_WANTED),
                "scopes",
                List.of(new ResourceId(namespace)),
                "evaluationFrequency",
                "PT" + LogAlert.EVERY + "M");
        properties.put("windowSize", "PT" + alert.minutes() + "M");
        properties.put("autoMitigate", true);
        // A new workspace has no such table before its first metric.
        properties.put("skipQueryValidation", true);
        properties.put("criteria", Resources.map("allOf", List.of(criterion)));
        properties.put("actions", Resources.map("actionGroups", List.of(new Given(Export.ACTION_GROUP))));
        return new Resource(
                alert.symbol(),
                Resources.LOG_ALERT + "@2023-12-01",
                new Named(alert.name()),
                Context.NONE,
                Resources.map("location", new Given(Export.LOCATION), "kind", "LogAlert", "properties", properties));
    }
}
