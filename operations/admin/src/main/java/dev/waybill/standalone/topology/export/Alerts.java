package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.topology.export.Template.Alert;
import dev.waybill.standalone.topology.export.Template.Criterion;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Kind;
import dev.waybill.standalone.topology.export.Template.LogAlert;
import dev.waybill.standalone.topology.export.Template.Parameter;
import dev.waybill.standalone.topology.export.Template.Product;
import java.util.ArrayList;
import java.util.List;

/** The alerts of a namespace. */
final class Alerts {
    private static final String EACH = "*";
    private static final int SOON = 5;
    private static final int LATER = 15;
    private static final int USUAL_BACKLOG = 10_000;

    /** 80 % of a megabyte, in bytes; a partitioned entity has sixteen times the declared size. */
    private static final long MOST_OF_A_MEGABYTE = 838_860;

    private static final int PARTITIONS = 16;

    private final List<Entity> entities;
    private final boolean premium;
    private final Symbols symbols;

    Alerts(List<Entity> entities, boolean premium, Symbols symbols) {
        this.entities = entities;
        this.premium = premium;
        this.symbols = symbols;
    }

    List<Alert> all() {
        var alerts = new ArrayList<Alert>();
        alerts.add(alert(
                "dead-letters",
                "Dead letters lie in an entity for five minutes.",
                new Criterion("DeadletteredMessages", "Minimum", true, 0, EACH)));
        alerts.add(alert(
                "throttled",
                "The namespace throttles its clients.",
                new Criterion("ThrottledRequests", "Total", true, 0, EACH)));
        alerts.add(alert(
                "server-errors",
                "The namespace answers with errors of its own.",
                new Criterion("ServerErrors", "Total", true, 0, EACH)));
        entities.stream()
                .filter(entity -> entity.kind() == Kind.QUEUE || entity.kind() == Kind.TOPIC)
                .forEach(entity -> alerts.addAll(of(entity)));
        return List.copyOf(alerts);
    }

    /**
     * The alert on logs. Exported metrics have no dimensions, so it reports the maximum over all entities:
     * https://learn.microsoft.com/azure/service-bus-messaging/monitor-service-bus-reference.
     */
    static LogAlert ofLogs(Symbols symbols) {
        return new LogAlert(
                symbols.of("alert", "dead-letters-log"),
                "dead-letters-log",
                "Dead letters lie in an entity of the namespace for a quarter of an hour, as its exported metrics say.",
                DEAD_LETTERS,
                "Maximum",
                LATER);
    }

    /** deploy/azure contains a copy for people. */
    static final String DEAD_LETTERS = """
            AzureMetrics
            | where ResourceProvider =~ "MICROSOFT.SERVICEBUS" and MetricName == "DeadletteredMessages"
            | project TimeGenerated, Maximum
            """;

    private List<Alert> of(Entity entity) {
        String path = entity.name().replace('~', '/');
        var alerts = new ArrayList<Alert>();
        var backlog = new Parameter(
                "backlog_" + entity.symbol(), "How many active messages of " + path + " are too many.", USUAL_BACKLOG);
        alerts.add(alert(
                "backlog-" + label(entity),
                "A backlog builds in " + path + ".",
                new Criterion("ActiveMessages", "Average", true, backlog, path)));
        boolean partitioned =
                !premium && Boolean.TRUE.equals(entity.properties().get("enablePartitioning"));
        var size = new Product(Parameter.MAX_SIZE, MOST_OF_A_MEGABYTE * (partitioned ? PARTITIONS : 1));
        alerts.add(alert(
                "fills-" + label(entity),
                path + " is more than 80 % full.",
                new Criterion("Size", "Maximum", true, size, path)));
        if (goesOut(entity)) {
            alerts.add(new Alert(
                    symbols.of("alert", "diverges", entity.symbol()),
                    "diverges-" + label(entity),
                    "Messages come into " + path + ", and none goes out.",
                    LATER,
                    List.of(
                            new Criterion("IncomingMessages", "Total", true, 0, path),
                            new Criterion("OutgoingMessages", "Total", false, 0, path))));
        }
        return alerts;
    }

    // A forwarding queue and a topic without subscriptions have no receivers.
    private boolean goesOut(Entity entity) {
        return entity.kind() == Kind.QUEUE
                ? !entity.properties().containsKey("forwardTo")
                : entities.stream()
                        .anyMatch(other -> other.kind() == Kind.SUBSCRIPTION
                                && entity.equals(other.parent())
                                && !other.properties().containsKey("forwardTo"));
    }

    // Names that differ only in a hyphen get distinct symbols.
    private static String label(Entity entity) {
        return entity.symbol().replace('_', '-');
    }

    private Alert alert(String name, String text, Criterion criterion) {
        return new Alert(symbols.of("alert", name), name, text, SOON, List.of(criterion));
    }
}
