package dev.waybill.standalone.cli.topology;

import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.cli.command.ChangeOptions;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.log.AuditLog;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.topology.ActiveEntities;
import dev.waybill.standalone.topology.ChangeResult;
import dev.waybill.standalone.topology.ChangeResult.State;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.Difference;
import dev.waybill.standalone.topology.PlanExecution;
import dev.waybill.standalone.topology.PlannedChange;
import dev.waybill.standalone.topology.PlannedChange.Verb;
import dev.waybill.standalone.topology.Removals;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "apply",
        description = {
            "Creates what is missing in the namespaces, and changes what is not as declared.",
            "Leaves alone what the declaration does not name; deletes nothing but what --delete names. Exit code 10 if"
                    + " something is left for a person, 20 if it is fixed at creation or holds messages."
        })
final class TopologyApply extends CliCommand {
    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Only this namespace; needed with --delete if there are several.")
    private @Nullable String namespace;

    @Option(
            names = "--delete",
            paramLabel = "ENTITY",
            description =
                    "Delete this too: a queue, a topic, TOPIC/Subscriptions/NAME or TOPIC/Subscriptions/NAME/Rules/NAME"
                            + " that is not declared. Refused while it holds messages. May be repeated.")
    private List<String> delete = new ArrayList<>();

    @Option(names = "--with-messages", description = "Delete also what holds messages, and the messages with it.")
    private boolean withMessages;

    private final List<PlannedChange> plan = new ArrayList<>();
    private final List<ChangeResult> done = new ArrayList<>();

    @Override
    public Integer call() {
        change.requireReason();
        List<Part> parts = parts();
        parts.forEach(part -> plan.addAll(part.plan()));
        if (plan.isEmpty()) {
            TopologyCommands.requireDeclared(configuration());
        }
        show();
        long changes = plan.stream().filter(deed -> deed.verb().isChange()).count();
        if (!change.isDryRun() && changes > 0) {
            change.confirm(changes + " changes are made in Azure Service Bus", Long.toString(changes));
            parts.forEach(part -> part.application().run(part.plan(), this::ended));
        }
        end(changes);
        return code(parts, changes);
    }

    private List<Part> parts() {
        var unread = new ArrayList<String>();
        ActiveEntities inForce = ConfiguredEntities.of(configuration(), unread::add);
        unread.forEach(this::warn);
        if (!delete.isEmpty() && !unread.isEmpty()) {
            throw new IllegalArgumentException(
                    "--delete needs all databases: one that could not be read may use the entity");
        }
        List<Declaration> declarations = TopologyCommands.declarations(inForce.configuration(), namespace);
        if (!delete.isEmpty() && declarations.size() > 1) {
            throw new IllegalArgumentException("In which namespace? Give --namespace with --delete");
        }
        var removals = new Removals(delete, withMessages);
        return declarations.stream()
                .map(declaration -> Part.of(declaration, removals, inForce.differences(declaration.namespace())))
                .toList();
    }

    private void show() {
        Output output = output();
        if (output.isJson()) {
            return;
        }
        if (plan.isEmpty()) {
            output.say("Everything is as declared.");
        } else {
            output.table(plan.stream().map(TopologyApply::row).toList(), "");
        }
        Set<List<String>> steps = new LinkedHashSet<>();
        plan.stream()
                .filter(deed -> !deed.steps().isEmpty() && steps.add(deed.steps()))
                .forEach(deed -> {
                    output.say("# " + deed.entity() + ", by hand:");
                    deed.steps().forEach(output::say);
                });
    }

    private static Map<String, Object> row(PlannedChange deed) {
        return Output.row(
                "namespace", deed.namespace(),
                "entity", deed.entity(),
                "does", deed.verb().name().toLowerCase(Locale.ROOT),
                "setting", deed.setting().name(),
                "declared", deed.setting().declared(),
                "actual", deed.setting().actual());
    }

    private void ended(ChangeResult end) {
        done.add(end);
        String text = label(end) + " " + end.entity() + " in the namespace '" + end.namespace() + "'"
                + (end.text().isEmpty() ? "" : ": " + end.text());
        output().say(Output.printable(text));
        AuditContext instruction = change.instruction();
        AuditLog.tell("Topology: " + text, instruction.operator(), instruction.reason());
    }

    private static String label(ChangeResult end) {
        return end.state().name().toLowerCase(Locale.ROOT);
    }

    private void end(long changes) {
        Output output = output();
        if (output.isJson()) {
            output.object(Output.row(
                    "dryRun", change.isDryRun(),
                    "plan", plan.stream().map(TopologyApply::stepsAndRow).toList(),
                    "done", done.stream().map(TopologyApply::row).toList()));
        } else if (changes == 0 && !plan.isEmpty()) {
            output.say("There is nothing to change.");
        }
    }

    private static Map<String, Object> stepsAndRow(PlannedChange deed) {
        Map<String, Object> row = row(deed);
        row.put("steps", deed.steps());
        return row;
    }

    private static Map<String, Object> row(ChangeResult end) {
        return Output.row(
                "namespace", end.namespace(), "entity", end.entity(), "state", label(end), "text", end.text());
    }

    private int code(List<Part> parts, long changes) {
        boolean silent = parts.stream().anyMatch(part -> !part.entities().isAnswering())
                || done.stream().anyMatch(end -> end.state() == State.UNREACHED);
        if (silent) {
            return ExitCode.UNREACHABLE;
        }
        if (has(Verb.UNKNOWN) || done.stream().anyMatch(end -> end.state() == State.FAILED)) {
            return ExitCode.FAILED;
        }
        if (has(Verb.REFUSE)) {
            return ExitCode.ERRORS;
        }
        boolean left = plan.stream().anyMatch(deed -> deed.verb() == Verb.LEAVE && deed.isOfDeclared());
        return left || (change.isDryRun() && changes > 0) ? ExitCode.WARNINGS : ExitCode.OK;
    }

    private boolean has(Verb verb) {
        return plan.stream().anyMatch(deed -> deed.verb() == verb);
    }

    private record Part(PlanExecution application, Entities entities, List<PlannedChange> plan) {
        static Part of(Declaration declaration, Removals removals, List<Difference> moved) {
            var bus = new Bus(declaration.namespace());
            Entities entities = bus.entities();
            var application = new PlanExecution(declaration, entities, bus.writer(), removals);
            var plan = new ArrayList<PlannedChange>();
            moved.forEach(difference -> plan.add(PlannedChange.left(difference)));
            plan.addAll(application.plan());
            return new Part(application, entities, List.copyOf(plan));
        }
    }
}
