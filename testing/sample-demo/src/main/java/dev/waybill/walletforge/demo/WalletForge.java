package dev.waybill.walletforge.demo;

import dev.waybill.walletforge.demo.input.BadInputException;
import dev.waybill.walletforge.demo.serve.ServeCommand;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The command line of the reference application. */
@Command(
        name = "wallet-forge",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "WalletForge, the reference application of Waybill: wallet payments, exactly once and in order.",
        subcommands = {DemoCommand.class, ServeCommand.class, RelayCommand.class})
public final class WalletForge {
    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;

    private WalletForge() {}

    /** Runs a command and ends the JVM with its exit code: 0 if all is well, 1 if not, 2 for bad input. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        return new CommandLine(new WalletForge()).setExecutionExceptionHandler(WalletForge::explain);
    }

    private static int explain(Exception failure, CommandLine command, ParseResult arguments) {
        if (failure instanceof BadInputException) {
            command.getErr().println(failure.getMessage());
            return BAD_INPUT;
        }
        LoggerFactory.getLogger(WalletForge.class).error("The run could not be ended", failure);
        command.getErr().println("The run could not be ended: " + failure);
        return FAILED;
    }
}
