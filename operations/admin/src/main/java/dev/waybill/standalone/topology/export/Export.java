package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Grant;
import dev.waybill.standalone.topology.export.Template.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The export of one namespace, with warnings about what the tool does not support. */
public record Export(String file, String text, List<String> warnings) {
    static final String NAME = "namespaceName";
    static final String LOCATION = "location";
    static final String WORKSPACE = "logAnalyticsWorkspaceId";
    static final String ACTION_GROUP = "actionGroupId";
    static final String LOG_ALERT_WANTED = "alertFromLogs";
    static final String UNITS = "messagingUnits";
    static final String SUBNET = "subnetId";
    static final String NETWORK = "virtualNetworkId";

    /** A filter that matches no message. */
    static final String CLOSED = "1=0";

    private static final int MOST_PARAMETERS = 256;
    private static final int MOST_RESOURCES = 800;

    private static final Pattern AZURE_HOST =
            Pattern.compile("([A-Za-z][A-Za-z0-9-]{4,48}[A-Za-z0-9])\\.servicebus\\..+");

    public Export {
        warnings = List.copyOf(warnings);
    }

    public static Export of(Configuration configuration, Declaration declaration, Format format) {
        if (format == Format.EMULATOR) {
            return new Export(
                    format.file(), EmulatorRenderer.render(declaration), EmulatorLimits.exceeded(declaration));
        }
        Template template = template(configuration, declaration);
        String text = switch (format) {
            case BICEP -> BicepRenderer.render(template);
            case ARM -> ArmRenderer.render(template);
            case TERRAFORM -> TerraformRenderer.render(template);
            case AZ, EMULATOR -> AzRenderer.render(template);
        };
        return new Export(format.file(), text, warnings(template, format));
    }

    static Template template(Configuration configuration, Declaration declaration) {
        var symbols = new Symbols();
        List<Entity> entities = new TemplateBuilder(declaration, symbols).entities();
        List<Grant> grants = new Grants(configuration, declaration.namespace(), entities, symbols).all();
        Optional<String> name = declaration
                .namespace()
                .host()
                .map(AZURE_HOST::matcher)
                .filter(matcher -> matcher.matches())
                .map(matcher -> matcher.group(1));
        var space = new Space(name, declaration.namespace().tier());
        return new Template(
                space,
                entities,
                grants.stream().map(Grant::identity).distinct().toList(),
                grants,
                new Alerts(entities, space.premium(), symbols).all(),
                List.of(Alerts.ofLogs(symbols)));
    }

    private static List<String> warnings(Template template, Format format) {
        var warnings = new ArrayList<String>();
        template.entities().stream()
                .filter(entity -> entity.name().contains("~"))
                .forEach(entity -> {
                    warnings.add("'" + entity.name().replace('~', '/') + "' is written " + entity.name()
                            + ", as Azure Resource Manager names paths");
                });
        boolean partitioned = template.entities().stream()
                .anyMatch(entity -> Boolean.TRUE.equals(entity.properties().get("enablePartitioning")));
        if (partitioned && template.space().premium()) {
            warnings.add(
                    "Premium partitions whole namespaces: one with several messaging partitions has partitioned entities"
                            + " only. The file makes one with a single partition, where Azure refuses them");
        }
        boolean closed = template.entities().stream().anyMatch(entity -> !entity.isWritten());
        if (format == Format.TERRAFORM) {
            template.entities().stream()
                    .filter(entity -> !TerraformRenderer.takes(entity))
                    .forEach(entity ->
                            warnings.add("Terraform's provider takes a max-message-size of 1 MiB to 100 MiB only:"
                                    + " that of '" + entity.name().replace('~', '/') + "' is left out"));
        }
        if (format == Format.BICEP || format == Format.ARM) {
            limits(template, warnings);
        }
        if (Workbook.isCut(template)) {
            warnings.add("The workbook has panels for the first " + Workbook.MOST_ENTITIES
                    + " queues and topics: a longer one would not fit into a command of a shell");
        }
        if (closed && format == Format.TERRAFORM) {
            warnings.add(
                    "Terraform cannot change or take away the rule $Default that Azure makes with each subscription:"
                            + " run waybill-relay topology apply after terraform apply");
        }
        return warnings;
    }

    private static void limits(Template template, List<String> warnings) {
        limit("parameters", Inputs.of(template).size(), MOST_PARAMETERS, warnings);
        limit("resources", Resources.of(template).size(), MOST_RESOURCES, warnings);
    }

    private static void limit(String what, int has, int most, List<String> warnings) {
        if (has > most) {
            warnings.add("Azure Resource Manager takes " + most + " " + what + " in a template, and this one has " + has
                    + ": it refuses the file. Export parts of the configuration, or use terraform or az");
        }
    }

    public enum Format {
        BICEP("main.bicep"),
        ARM("azuredeploy.json"),
        TERRAFORM("main.tf"),
        AZ("topology.sh"),
        EMULATOR("Config.json");

        private final String file;

        Format(String file) {
            this.file = file;
        }

        String file() {
            return file;
        }
    }
}
