package dev.waybill.standalone.cli.topology;

import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NextStep;
import dev.waybill.standalone.config.Suggestion;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.topology.ActiveEntities;
import dev.waybill.standalone.topology.Comparison;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.Difference;
import dev.waybill.standalone.topology.Difference.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "topology",
        mixinStandardHelpOptions = true,
        description = "The declared entities against those that the namespaces have.",
        subcommands = {
            TopologyCommands.Check.class,
            TopologyCommands.Plan.class,
            TopologyApply.class,
            TopologyMigrate.class,
            TopologyExport.class
        })
public final class TopologyCommands {
    private TopologyCommands() {}

    /** The declarations of all namespaces, or of the chosen one. */
    static List<Declaration> declarations(Configuration configuration, @Nullable String namespace) {
        List<Declaration> declarations = Declaration.of(configuration).stream()
                .filter(declaration ->
                        namespace == null || declaration.namespace().name().equals(namespace))
                .toList();
        if (declarations.isEmpty()) {
            throw new ConfigException(
                    namespace == null
                            ? "No namespace is configured. " + NextStep.declaration()
                            : "There is no namespace '" + namespace + "'"
                                    + Suggestion.among(namespaces(configuration), namespace));
        }
        return declarations;
    }

    private static List<String> namespaces(Configuration configuration) {
        return configuration.namespaces().stream().map(NamespaceSettings::name).toList();
    }

    /**
     * Rejects a configuration without declared entities, which would always match.
     *
     * @throws ConfigException saying what is missing
     */
    static void requireDeclared(Configuration configuration) {
        List<NamespaceSettings> namespaces = configuration.namespaces();
        if (namespaces.stream()
                .allMatch(namespace -> configuration.destinations(namespace).isEmpty())) {
            throw new ConfigException("Nothing is declared: the configuration has no "
                    + (namespaces.isEmpty() ? "namespace. " : "destination. ") + NextStep.declaration());
        }
    }

    /** Differences, and whether every namespace answered. */
    private record Compared(List<Difference> differences, boolean complete) {
        int code() {
            return complete ? TopologyCommands.code(differences) : ExitCode.UNREACHABLE;
        }
    }

    private static Compared compare(Configuration configured, Consumer<String> warn) {
        requireDeclared(configured);
        ActiveEntities inForce = ConfiguredEntities.of(configured, warn);
        var differences = new ArrayList<>(inForce.differences());
        var asked = new ArrayList<Entities>();
        differences.addAll(Comparison.of(inForce.configuration(), namespace -> {
            var bus = new Bus(namespace);
            bus.checkIdentity();
            Entities entities = bus.entities();
            asked.add(entities);
            return entities;
        }));
        return new Compared(differences, asked.stream().allMatch(Entities::isAnswering));
    }

    private static int code(List<Difference> differences) {
        if (differences.stream().anyMatch(difference -> difference.kind().isError())) {
            return ExitCode.ERRORS;
        }
        return differences.isEmpty() ? ExitCode.OK : ExitCode.WARNINGS;
    }

    private static String label(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    @Command(
            name = "check",
            description =
                    "Lists what differs. Exit code 2 if nothing is declared, 10 if something can be changed or cannot be"
                            + " verified, 20 if something is missing or has to be made anew, 5 if a namespace does not answer.")
    static final class Check extends CliCommand {
        @Override
        public Integer call() {
            Compared compared = compare(configuration(), this::warn);
            List<Difference> differences = compared.differences();
            List<Map<String, Object>> rows =
                    differences.stream().map(Check::row).toList();
            output().table(rows, "Everything is as declared.");
            return compared.code();
        }

        private static Map<String, Object> row(Difference difference) {
            return Output.row(
                    "namespace", difference.namespace(),
                    "entity", difference.entity(),
                    "setting", difference.setting().name(),
                    "declared", difference.setting().declared(),
                    "actual", difference.setting().actual(),
                    "takes", label(difference.kind()));
        }
    }

    @Command(
            name = "plan",
            description = "Prints the steps from what is there to what is declared. Changes nothing."
                    + " Exit codes as check.")
    static final class Plan extends CliCommand {
        @Override
        public Integer call() {
            Compared compared = compare(configuration(), this::warn);
            List<Difference> differences = compared.differences();
            Output output = output();
            if (output.isJson()) {
                output.table(differences.stream().map(Plan::row).toList(), "");
            } else {
                print(output, differences);
            }
            return compared.code();
        }

        // All settings that are fixed at creation need one migration together.
        private static void print(Output output, List<Difference> differences) {
            Set<List<String>> printed = new LinkedHashSet<>();
            for (Difference difference : differences) {
                String found = difference.entity() + ": " + difference.setting().name() + " is '"
                        + difference.setting().actual() + "', declared '"
                        + difference.setting().declared() + "'";
                // A line break in a filter would end the comment.
                output.say("# " + found.replaceAll("\\R", "\n# "));
                if (printed.add(difference.steps())) {
                    difference.steps().forEach(output::say);
                }
            }
            if (differences.isEmpty()) {
                output.say("Everything is as declared.");
            }
        }

        private static Map<String, Object> row(Difference difference) {
            return Output.row(
                    "namespace", difference.namespace(),
                    "entity", difference.entity(),
                    "setting", difference.setting().name(),
                    "takes", label(difference.kind()),
                    "steps", difference.steps());
        }
    }
}
