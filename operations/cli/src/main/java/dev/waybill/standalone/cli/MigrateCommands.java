package dev.waybill.standalone.cli;

import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = {
            "The tables, feature by feature.",
            "Without a feature, those that the configuration uses: outbox; inbox if it describes consumers; dead-letters if a"
                    + " database collects them; console if it is enabled."
        },
        subcommands = {
            MigrateCommands.Up.class,
            MigrateCommands.Status.class,
            MigrateCommands.Validate.class,
            MigrateCommands.PrintSql.class
        })
final class MigrateCommands {
    abstract static class OfFeatures extends DatabaseCommand {
        @Parameters(paramLabel = "FEATURE", arity = "0..*", description = "Such as outbox, inbox or dead-letters.")
        private List<String> features = List.of();

        @Override
        protected boolean needsTables() {
            return false;
        }

        @Override
        public void check() {
            features.forEach(Feature::named);
        }

        Feature[] features(DatabaseSettings settings) {
            return UsedFeatures.of(features, configuration(), settings);
        }
    }

    @Command(
            name = "up",
            description = "Creates the tables of features and of those that they need; as the tables' owner.")
    static final class Up extends OfFeatures {
        @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
        private boolean dryRun;

        @Override
        public @Nullable Role role() {
            return null;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Migrations migrations = Migrations.of(pool, settings.schema());
            Feature[] features = features(settings);
            int applied = dryRun ? 0 : migrations.apply(features);
            output().object(Output.row(
                    "database",
                    settings.name(),
                    "schema",
                    settings.schema(),
                    "features",
                    names(Arrays.asList(features)),
                    "installed",
                    names(migrations.installed()),
                    "applied",
                    applied));
            return ExitCode.OK;
        }
    }

    @Command(name = "status", description = "Says which features are installed.")
    static final class Status extends OfFeatures {
        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Set<Feature> installed = Migrations.of(pool, settings.schema()).installed();
            List<Feature> missing = Arrays.stream(features(settings))
                    .filter(feature -> !installed.contains(feature))
                    .toList();
            output().object(Output.row(
                    "database",
                    settings.name(),
                    "schema",
                    settings.schema(),
                    "installed",
                    names(installed),
                    "missing",
                    names(missing),
                    "state",
                    state(missing)));
            return missing.isEmpty() ? ExitCode.OK : ExitCode.WARNINGS;
        }

        private static String state(List<Feature> missing) {
            return missing.isEmpty()
                    ? "as this program needs them"
                    : "run 'waybill-relay migrate up " + String.join(" ", names(missing)) + "'";
        }
    }

    @Command(
            name = "validate",
            description = "Checks that the tables are what this program expects; as the tables' owner.")
    static final class Validate extends OfFeatures {
        // The history tables of Flyway belong to the owner.
        @Override
        public @Nullable Role role() {
            return null;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Feature[] features = features(settings);
            validate(Migrations.of(pool, settings.schema()), settings, features);
            output().object(Output.row(
                    "database",
                    settings.name(),
                    "schema",
                    settings.schema(),
                    "features",
                    names(Arrays.asList(features)),
                    "valid",
                    true));
            return ExitCode.OK;
        }

        private static void validate(Migrations migrations, DatabaseSettings settings, Feature... features) {
            Set<Feature> installed = migrations.installed();
            try {
                migrations.validate(features);
            } catch (FlywayValidateException e) {
                List<Feature> missing = Arrays.stream(features)
                        .filter(feature -> !installed.contains(feature))
                        .toList();
                throw missing.isEmpty()
                        ? e
                        : new IllegalStateException(
                                "The tables in schema '" + settings.schema() + "' are not valid: there are none of "
                                        + String.join(", ", names(missing)) + "; run 'waybill-relay migrate up "
                                        + String.join(" ", names(missing)) + "'. " + e.getMessage(),
                                e);
            }
        }
    }

    @Command(
            name = "print-sql",
            description = {
                "Prints the statements, for those who apply them with a tool of their own.",
                "Asks no database."
            })
    static final class PrintSql extends CliCommand {
        @Option(
                names = {"-d", "--database"},
                paramLabel = "NAME",
                description = "The database, if there are several.")
        private @Nullable String database;

        @Option(names = "--liquibase", description = "As a changelog of Liquibase, with a changeset for each feature.")
        private boolean liquibase;

        @Parameters(paramLabel = "FEATURE", arity = "0..*", description = "Such as outbox, inbox or dead-letters.")
        private List<String> features = List.of();

        @Override
        public Integer call() {
            DatabaseSettings settings = configuration().database(Optional.ofNullable(database));
            SchemaName schema = settings.schema();
            Feature[] used = UsedFeatures.of(features, configuration(), settings);
            String statements = liquibase ? Migrations.changelog(schema, used) : Migrations.sql(schema, used);
            Output output = output();
            if (output.isJson()) {
                output.object(Output.row("schema", schema, "sql", statements));
            } else {
                output.say(statements.stripTrailing());
            }
            return ExitCode.OK;
        }
    }

    private static List<String> names(Iterable<Feature> features) {
        var names = new java.util.ArrayList<String>();
        features.forEach(feature -> names.add(feature.toString()));
        return names;
    }
}
