package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.topology.export.Inputs.Input;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Grant;
import dev.waybill.standalone.topology.export.Template.Kind;
import dev.waybill.standalone.topology.export.Template.Parameter;
import dev.waybill.standalone.topology.export.Template.Product;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Renders a template as a script for the Azure CLI, with parameters in variables. */
final class AzRenderer {
    private static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("requiresSession", "--enable-session"),
            Map.entry("requiresDuplicateDetection", "--enable-duplicate-detection"),
            Map.entry("duplicateDetectionHistoryTimeWindow", "--duplicate-detection-history-time-window"),
            Map.entry("enablePartitioning", "--enable-partitioning"),
            Map.entry("maxSizeInMegabytes", "--max-size"),
            Map.entry("maxMessageSizeInKilobytes", "--max-message-size"),
            Map.entry("lockDuration", "--lock-duration"),
            Map.entry("maxDeliveryCount", "--max-delivery-count"),
            Map.entry("defaultMessageTimeToLive", "--default-message-time-to-live"),
            Map.entry("deadLetteringOnMessageExpiration", "--enable-dead-lettering-on-message-expiration"),
            Map.entry("forwardTo", "--forward-to"),
            Map.entry("forwardDeadLetteredMessagesTo", "--forward-dead-lettered-messages-to"),
            Map.entry("sqlExpression", "--filter-sql-expression"));

    private static final String GROUP = " --resource-group \"$resource_group\"";
    private static final String IN = GROUP + " --namespace-name \"$" + Symbols.snake(Export.NAME) + '"';

    private final Template template;
    private final List<String> lines = new ArrayList<>();

    private AzRenderer(Template template) {
        this.template = template;
    }

    static String render(Template template) {
        var renderer = new AzRenderer(template);
        renderer.head();
        renderer.namespace();
        // A namespace without public access must be reachable, whatever fails later.
        if (template.space().premium()) {
            renderer.privateAccess();
        }
        template.entities().forEach(renderer::entity);
        template.grants().forEach(renderer::grant);
        renderer.diagnostics();
        renderer.lines.addAll(AzAlerts.lines(template));
        return String.join("\n", renderer.lines) + "\n";
    }

    private void head() {
        lines.add("#!/bin/sh");
        lines.add("# Made by waybill-relay topology export from the configuration: change that, not this.");
        lines.add("set -eu");
        lines.add(": \"${resource_group:?The resource group.}\"");
        for (Input input : Inputs.of(template)) {
            String variable = Symbols.snake(input.name());
            lines.add(input.usual()
                    .map(usual -> "# " + input.text() + "\n" + variable + "=\"${" + variable + ":-" + usual + "}\"")
                    .orElseGet(() -> ": \"${" + variable + ":?" + input.text().replaceAll("[\"`$\\\\}']", "") + "}\""));
        }
    }

    private void namespace() {
        boolean premium = template.space().premium();
        lines.add("az servicebus namespace create" + GROUP + " --name " + variable(Export.NAME) + " --location "
                + variable(Export.LOCATION) + " --sku " + template.space().sku()
                + " --minimum-tls-version 1.2 --disable-local-auth true --public-network-access "
                + (premium ? "Disabled --capacity " + variable(Export.UNITS) : "Enabled"));
        lines.add("namespace=\"$(az servicebus namespace show" + GROUP + " --name " + variable(Export.NAME)
                + " --query id --output tsv)\"");
    }

    private void entity(Entity entity) {
        if (Export.CLOSED.equals(entity.properties().get("sqlExpression")) && !entity.isWritten()) {
            withoutDefault(entity);
            return;
        }
        var command = new StringBuilder("az servicebus ")
                .append(noun(entity))
                .append(" create")
                .append(place(entity));
        entity.properties()
                .forEach((name, value) -> command.append(' ')
                        .append(Objects.requireNonNull(OPTIONS.get(name), name))
                        .append('=')
                        .append(argument(value)));
        lines.add(command.toString());
    }

    // A failed deletion succeeds only if the rule is gone; otherwise the subscription would stay open unnoticed.
    private void withoutDefault(Entity rule) {
        Entity subscription = Objects.requireNonNull(rule.parent());
        lines.add("az servicebus topic subscription rule delete" + place(rule) + " || {");
        lines.add("  left=\"$(az servicebus topic subscription rule list" + of(rule) + " --query "
                + quoted("[?name=='" + rule.name() + "'].name") + " --output tsv)\"");
        lines.add("  [ -z \"$left\" ] || { echo "
                + quoted("The rule " + rule.name() + " of " + subscription.name()
                        + " lets everything in: it could not be deleted.")
                + " >&2; exit 1; }");
        lines.add("}");
    }

    private static String noun(Entity entity) {
        return switch (entity.kind()) {
            case QUEUE -> "queue";
            case TOPIC -> "topic";
            case SUBSCRIPTION -> "topic subscription";
            case RULE -> "topic subscription rule";
        };
    }

    private static String place(Entity entity) {
        return of(entity) + " --name=" + quoted(entity.name());
    }

    private static String of(Entity entity) {
        var place = new StringBuilder(IN);
        Entity parent = entity.parent();
        if (parent != null && parent.parent() != null) {
            place.append(" --topic-name=").append(quoted(parent.parent().name()));
        }
        if (parent != null) {
            String option = entity.kind() == Kind.RULE ? " --subscription-name=" : " --topic-name=";
            place.append(option).append(quoted(parent.name()));
        }
        return place.toString();
    }

    private static String argument(Object value) {
        if (value instanceof Parameter parameter) {
            return variable(parameter.name());
        }
        if (value instanceof Product product) {
            return "$((" + Symbols.snake(product.parameter().name()) + " * " + product.factor() + "))";
        }
        return value instanceof String text ? quoted(text) : value.toString();
    }

    private static String variable(String parameter) {
        return "\"$" + Symbols.snake(parameter) + '"';
    }

    /** Quotes one argument. The CLI would read a file for a leading at sign. */
    static String quoted(String text) {
        return "'" + (text.startsWith("@") ? " " : "") + text.replace("'", "'\\''") + "'";
    }

    private void grant(Grant grant) {
        lines.add("az role assignment create --role " + quoted(grant.role().title())
                + " --assignee-principal-type ServicePrincipal --assignee-object-id "
                + variable(grant.identity().parameter()) + " --scope \"$namespace/" + scope(grant.scope()) + '"');
    }

    private static String scope(Entity entity) {
        String of = entity.parent() == null ? "" : scope(entity.parent()) + "/";
        return of + entity.kind().type() + "/" + entity.name();
    }

    private void diagnostics() {
        lines.add("az monitor diagnostic-settings create --name waybill --resource \"$namespace\" --workspace "
                + variable(Export.WORKSPACE)
                + " --logs '[{\"categoryGroup\":\"allLogs\",\"enabled\":true}]'"
                + " --metrics '[{\"category\":\"AllMetrics\",\"enabled\":true}]'");
    }

    private void privateAccess() {
        String zone = GROUP + " --name " + PrivateAccess.ZONE;
        unlessThere("az network private-dns zone", zone, "");
        String link = GROUP + " --zone-name " + PrivateAccess.ZONE + " --name waybill";
        unlessThere(
                "az network private-dns link vnet",
                link,
                " --registration-enabled false --virtual-network " + variable(Export.NETWORK));
        String endpoint = "\"$" + Symbols.snake(Export.NAME) + "-endpoint\"";
        lines.add("az network private-endpoint create" + GROUP + " --name " + endpoint + " --location "
                + variable(Export.LOCATION) + " --subnet " + variable(Export.SUBNET)
                + " --private-connection-resource-id \"$namespace\" --group-id namespace --connection-name servicebus");
        lines.add("az network private-endpoint dns-zone-group create" + GROUP + " --endpoint-name " + endpoint
                + " --name default --zone-name servicebus --private-dns-zone " + PrivateAccess.ZONE);
    }

    // These two commands fail for existing entities, which would end every later run.
    private void unlessThere(String noun, String place, String settings) {
        lines.add(noun + " show" + place + " >/dev/null 2>&1 || " + noun + " create" + place + settings);
    }
}
