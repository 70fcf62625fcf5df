package dev.waybill.standalone.cli;

import dev.waybill.migrations.Role;
import dev.waybill.schema.SqlError;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.command.RootCommand;
import dev.waybill.standalone.cli.deadletter.DlqCommands;
import dev.waybill.standalone.cli.hold.InboxCommands;
import dev.waybill.standalone.cli.hold.OutboxCommands;
import dev.waybill.standalone.cli.status.StatusCommand;
import dev.waybill.standalone.cli.status.WatchCommand;
import dev.waybill.standalone.cli.topology.TopologyCommands;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.log.Logs;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
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
            FailoverCommand.class,
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
        ProcessEnvironment environment = ProcessEnvironment.ofProcess();
        Optional<String> undecoded = UndecodedText.find(arguments, environment.variables());
        if (undecoded.isPresent()) {
            System.err.println(undecoded.get());
            return ExitCode.BAD_INPUT;
        }
        int code = commandLine(environment).execute(arguments);
        if (System.out.checkError() && code == ExitCode.OK) {
            System.err.println("Standard output cannot be written: the answer is incomplete");
            return ExitCode.FAILED;
        }
        return code;
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
                // An id or a text may begin with an at sign.
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(true);
        line.getCommandSpec().usageMessage().footer(ExitCode.helpFooter());
        return line;
    }

    private static int explain(Exception failure, CommandLine command, ParseResult arguments) {
        Object verb = command.getCommand();
        @Nullable DatabaseSettings database = verb instanceof DatabaseCommand asking ? asking.asked() : null;
        command.getErr().println(Output.printable(Failures.text(failure, database)) + neededRole(failure, command));
        command.getErr().flush();
        LoggerFactory.getLogger(Commands.class).debug("The command failed", failure);
        return Failures.code(failure);
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
}
