package dev.waybill.standalone.cli;

import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "grants",
        mixinStandardHelpOptions = true,
        description = "The rights that database roles need on the tables.",
        subcommands = GrantsCommands.Print.class)
final class GrantsCommands {
    @Command(name = "print", description = "Prints the statements that give a database role what it needs.")
    static final class Print extends CliCommand {
        @Parameters(index = "0", paramLabel = "ROLE", description = "One of ${COMPLETION-CANDIDATES}.")
        @SuppressWarnings("NullAway.Init")
        private Role role;

        @Option(names = "--to", required = true, paramLabel = "NAME", description = "The database role.")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Option(
                names = "--schema",
                paramLabel = "NAME",
                defaultValue = "waybill",
                description = "The schema (waybill).")
        @SuppressWarnings("NullAway.Init")
        private String schema;

        @Parameters(
                index = "1..*",
                paramLabel = "FEATURE",
                arity = "0..*",
                description = "Such as outbox, inbox or dead-letters. Default: outbox and inbox.")
        private List<String> features = List.of();

        @Override
        public Integer call() {
            String statements = role.grants(
                    new SchemaName(schema),
                    name,
                    features.stream().map(Feature::named).toArray(Feature[]::new));
            Output output = output();
            if (output.isJson()) {
                output.object(Output.row("role", role, "grants", statements));
            } else {
                output.say(statements.stripTrailing());
            }
            return ExitCode.OK;
        }
    }
}
