package dev.waybill.standalone.cli;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.waybill.hold.HoldBusyException;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SqlError;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.NotConfirmedException;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.command.RootCommand;
import dev.waybill.standalone.cli.deadletter.DlqCommands;
import dev.waybill.standalone.cli.hold.InboxCommands;
import dev.waybill.standalone.cli.hold.OutboxCommands;
import dev.waybill.standalone.cli.status.StatusCommand;
import dev.waybill.standalone.cli.status.WatchCommand;
import dev.waybill.standalone.cli.topology.TopologyCommands;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.log.Logs;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Locale;
import java.util.NoSuchElementException;
import org.flywaydb.core.api.FlywayException;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParseResult;

/** The root command. */
@Command(
        name = "waybill-relay",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Publishes transactional outboxes to Azure Service Bus, and looks after them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            ConsoleCommands.class,
            StatusCommand.class,
            WatchCommand.class,
            TraceCommand.class,
            HealthCommand.class,
            DoctorCommand.class,
            TopologyCommands.class,
            CostCommand.class,
            OutboxCommands.class,
            RelayCommands.class,
            ReplayCommands.class,
            InboxCommands.class,
            DlqCommands.class,
            MonitorCommand.class,
            AuditCommand.class,
            ErasureCommands.Erase.class,
            ErasureCommands.class,
            LabCommands.class,
            MigrateCommands.class,
            GrantsCommands.class,
            ConfigCommands.class,
            VersionCommand.class,
            GenerateCompletion.class,
            HelpCommand.class
        })
public final class Commands implements RootCommand {
    private final ProcessEnvironment environment;

    private Commands(ProcessEnvironment environment) {
        this.environment = environment;
    }

    /** Runs a command of this process; returns its exit code. */
    public static int execute(String... arguments) {
        Logs.forCommands();
        return commandLine(ProcessEnvironment.ofProcess()).execute(arguments);
    }

    /** Runs a command inside a JVM without changing its logging. */
    public static int execute(ProcessEnvironment environment, PrintWriter out, PrintWriter err, String... arguments) {
        return commandLine(environment).setOut(out).setErr(err).execute(arguments);
    }

    @Override
    public ProcessEnvironment environment() {
        return environment;
    }

    public static CommandLine commandLine(ProcessEnvironment environment) {
        var line = new CommandLine(new Commands(environment))
                .setExecutionExceptionHandler(Commands::explain)
                .setParameterExceptionHandler(new ArgumentErrors())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true);
        line.getCommandSpec().usageMessage().footer(ExitCode.helpFooter());
        return line;
    }

    private static int explain(Exception failure, CommandLine command, ParseResult arguments) {
        command.getErr().println(Output.printable(text(failure, command)) + neededRole(failure, command));
        command.getErr().flush();
        LoggerFactory.getLogger(Commands.class).debug("The command failed", failure);
        return code(failure);
    }

    private static String text(Exception failure, CommandLine command) {
        Object verb = command.getCommand();
        @Nullable DatabaseSettings database = verb instanceof DatabaseCommand asking ? asking.asked() : null;
        if (database != null && isOfDatabase(failure)) {
            return DatabaseFailure.text(database, failure);
        }
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.toString() : message;
    }

    private static boolean isOfDatabase(Exception failure) {
        return failure instanceof DataAccessException
                || failure instanceof SQLException
                || failure instanceof PoolInitializationException
                || (failure instanceof FlywayException && DatabaseFailure.isConnection(failure));
    }

    private static String neededRole(Exception failure, CommandLine command) {
        Object verb = command.getCommand();
        @Nullable Role role = verb instanceof DatabaseCommand needing ? needing.role() : null;
        for (Throwable cause = failure; cause != null && role != null; cause = cause.getCause()) {
            if (SqlError.of(cause) == SqlError.DENIED) {
                String name = role.name().toLowerCase(Locale.ROOT);
                return System.lineSeparator() + "'" + command.getCommandName() + "' needs the grants of the role '"
                        + name + "'; 'waybill-relay grants print " + name + " --to NAME' prints them";
            }
        }
        return "";
    }

    private static int code(Exception failure) {
        if (failure instanceof NotConfirmedException) {
            return ExitCode.NOT_CONFIRMED;
        }
        if (failure instanceof ConfigException || failure instanceof IllegalArgumentException) {
            return ExitCode.BAD_INPUT;
        }
        if (failure instanceof NoSuchElementException) {
            return ExitCode.NOT_FOUND;
        }
        if (failure instanceof HoldBusyException) {
            return ExitCode.BUSY;
        }
        return DatabaseFailure.isConnection(failure) ? ExitCode.UNREACHABLE : ExitCode.FAILED;
    }
}
