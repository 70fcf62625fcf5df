package dev.waybill.standalone.cli;

import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
                description = "The schema. Default: that of the configured database, or waybill.")
        private @Nullable String schema;

        @Option(
                names = {"-d", "--database"},
                paramLabel = "NAME",
                description = "The database, if there are several.")
        private @Nullable String database;

        @Parameters(
                index = "1..*",
                paramLabel = "FEATURE",
                arity = "0..*",
                description =
                        "Such as outbox, inbox or dead-letters. Default: outbox, inbox, and what the configuration uses.")
        private List<String> features = List.of();

        @Override
        public Integer call() {
            Configuration configuration = configuration();
            Optional<DatabaseSettings> settings =
                    database == null && (configuration.databases().isEmpty() || schema != null)
                            ? Optional.empty()
                            : Optional.of(configuration.database(Optional.ofNullable(database)));
            SchemaName given = schema != null
                    ? new SchemaName(schema)
                    : settings.map(DatabaseSettings::schema).orElse(SchemaName.DEFAULT);
            String statements = role.grants(given, name, features(configuration, settings));
            Output output = output();
            if (output.isJson()) {
                output.object(Output.row("role", role, "grants", statements));
            } else {
                output.say(statements.stripTrailing());
            }
            return ExitCode.OK;
        }

        // A service may have made the tables of the inbox, which this configuration need not describe.
        private Feature[] features(Configuration configuration, Optional<DatabaseSettings> settings) {
            if (!features.isEmpty() || settings.isEmpty()) {
                return features.stream().map(Feature::named).toArray(Feature[]::new);
            }
            return Stream.concat(
                            Stream.of(Feature.INBOX),
                            Stream.of(UsedFeatures.of(features, configuration, settings.get())))
                    .distinct()
                    .toArray(Feature[]::new);
        }
    }
}
