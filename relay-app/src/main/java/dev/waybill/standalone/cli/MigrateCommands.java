package dev.waybill.standalone.cli;

import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaVersion;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.InstalledVersion;
import javax.sql.DataSource;
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
    @Command(name = "up", description = "Brings the tables to the version of this program; as their owner.")
    static final class Up extends DatabaseCommand {
        @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
        private boolean dryRun;

        @Override
        @Nullable Role role() {
            return null;
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
                    SchemaVersion.CURRENT));
            return installed < SchemaVersion.CURRENT ? ExitCode.WARNINGS : ExitCode.OK;
        }
    }

    @Command(name = "validate", description = "Checks that the tables are what this program expects.")
    static final class Validate extends DatabaseCommand {
        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            Migrations.of(pool, settings.schema()).validate();
            output().object(Output.row("database", settings.name(), "schema", settings.schema(), "valid", true));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "print-sql",
            description = "Prints all statements, for those who apply them with a tool of their own.")
    static final class PrintSql extends DatabaseCommand {
        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            String statements = Migrations.of(pool, settings.schema()).sql();
            Output output = output();
            if (output.isJson()) {
                output.object(Output.row("schema", settings.schema(), "sql", statements));
            } else {
                output.say(statements.stripTrailing());
            }
            return ExitCode.OK;
        }
    }
}
