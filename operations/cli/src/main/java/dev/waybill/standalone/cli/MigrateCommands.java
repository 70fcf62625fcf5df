package dev.waybill.standalone.cli;

import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.InstalledVersion;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = "The tables.",
        subcommands = {
            MigrateCommands.Up.class,
            MigrateCommands.Status.class,
            MigrateCommands.Validate.class,
            MigrateCommands.PrintSql.class
        })
final class MigrateCommands {
    private static String state(int installed) {
        if (installed == 0) {
            return "there are no tables, or none with a history; 'waybill-relay migrate up' makes them";
        }
        if (installed == SchemaVersion.CURRENT) {
            return "as this program needs them";
        }
        return installed < SchemaVersion.CURRENT
                ? "older than this program; run 'waybill-relay migrate up'"
                : "newer than this program; fine while an upgrade is rolled out or taken back";
    }

    @Command(name = "up", description = "Brings the tables to the version of this program; as their owner.")
    static final class Up extends DatabaseCommand {
        @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
        private boolean dryRun;

        @Override
        @Nullable Role role() {
            return null;
        }

        @Override
        boolean needsTables() {
            return false;
        }

        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            int before = InstalledVersion.of(pool, settings.schema());
            int applied = dryRun ? 0 : Migrations.of(pool, settings.schema()).apply();
            int after = dryRun ? before : InstalledVersion.of(pool, settings.schema());
            output().object(Output.row(
                    "database",
                    settings.name(),
                    "schema",
                    settings.schema(),
                    "before",
                    before,
                    "now",
                    after,
                    "needed",
                    SchemaVersion.CURRENT,
                    "applied",
                    applied));
            return ExitCode.OK;
        }
    }

    @Command(name = "status", description = "Says which version the tables have.")
    static final class Status extends DatabaseCommand {
        @Override
        boolean needsTables() {
            return false;
        }

        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            int installed = InstalledVersion.of(pool, settings.schema());
            output().object(Output.row(
                    "database",
                    settings.name(),
                    "schema",
                    settings.schema(),
                    "installed",
                    installed,
                    "needed",
                    SchemaVersion.CURRENT,
                    "state",
                    state(installed)));
            return installed == SchemaVersion.CURRENT ? ExitCode.OK : ExitCode.WARNINGS;
        }
    }

    @Command(name = "validate", description = "Checks that the tables are what this program expects.")
    static final class Validate extends DatabaseCommand {
        @Override
        boolean needsTables() {
            return false;
        }

        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            int installed = InstalledVersion.of(pool, settings.schema());
            validate(Migrations.of(pool, settings.schema()), settings, installed);
            output().object(Output.row(
                    "database",
                    settings.name(),
                    "schema",
                    settings.schema(),
                    "valid",
                    true,
                    "state",
                    state(installed)));
            return installed == SchemaVersion.CURRENT ? ExitCode.OK : ExitCode.WARNINGS;
        }

        private static void validate(Migrations migrations, DatabaseSettings settings, int installed) {
            try {
                migrations.validate();
            } catch (FlywayValidateException e) {
                throw installed < SchemaVersion.CURRENT
                        ? new IllegalStateException(
                                "The tables in schema '" + settings.schema() + "' are not valid: " + state(installed)
                                        + ". " + e.getMessage(),
                                e)
                        : e;
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

        @Option(
                names = {"--from", "--after"},
                converter = Amounts.Version.class,
                paramLabel = "VERSION",
                description = "The version that the tables have. Default: 0, for no tables yet.")
        private int from;

        @Option(
                names = "--to",
                converter = Amounts.Version.class,
                paramLabel = "VERSION",
                description = "The version that they are brought to. Default: this program's.")
        private int to = SchemaVersion.CURRENT;

        @Override
        public Integer call() {
            SchemaName schema =
                    configuration().database(Optional.ofNullable(database)).schema();
            String statements = Migrations.sql(schema, from, to);
            Output output = output();
            if (output.isJson()) {
                output.object(Output.row("schema", schema, "after", from, "to", to, "sql", statements));
            } else {
                output.say(statements.stripTrailing());
            }
            return ExitCode.OK;
        }
    }
}
