package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.console.Console;
import dev.waybill.standalone.console.access.Passwords;
import dev.waybill.standalone.console.access.TokensFile;
import dev.waybill.standalone.log.Logs;
import dev.waybill.standalone.log.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "console",
        description = "Serves the operators' console in a browser, without a relay, until it is told to end (SIGTERM);"
                + " 'run' serves it beside the relays if console.enabled is true.",
        subcommands = {ConsoleCommands.Password.class, ConsoleCommands.Token.class})
final class ConsoleCommands extends CliCommand {
    private static final int MOST_DAYS = 366;

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = configuration();
        Logs.forRun(configuration.process());
        Console console = Console.start(configuration);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            console.close();
                            Runtime.getRuntime().halt(ExitCode.OK);
                        },
                        "waybill-shutdown"));
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }

    @Command(
            name = "password",
            description = "Asks for a password, or reads it as a line of standard input, and prints the line of"
                    + " console.users-file for it.")
    static final class Password extends CliCommand {
        @Parameters(paramLabel = "NAME", description = "The person.")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Option(
                names = "--roles",
                defaultValue = "viewer",
                paramLabel = "ROLES",
                description =
                        "viewer, operator or admin; of one database as operator@NAME; several with commas (viewer).")
        @SuppressWarnings("NullAway.Init")
        private String roles;

        @Override
        public Integer call() throws IOException {
            output().say(Passwords.line(name, read(), roles));
            return ExitCode.OK;
        }

        private static char[] read() throws IOException {
            char @Nullable [] typed = Terminal.askSecret("Password: ");
            if (typed != null) {
                return typed;
            }
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            @Nullable String line = in.readLine();
            return line == null ? new char[0] : line.toCharArray();
        }
    }

    @Command(
            name = "token",
            description = "Makes a token for the API, prints it, and behind it the line of console.tokens-file for it."
                    + " The file has a digest, so the token is told here alone.")
    static final class Token extends CliCommand {
        @Parameters(paramLabel = "NAME", description = "The program, as the audit names it behind 'token:'.")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Option(
                names = "--roles",
                defaultValue = "viewer",
                paramLabel = "ROLES",
                description = "viewer or operator; of one database as operator@NAME; several with commas (viewer).")
        @SuppressWarnings("NullAway.Init")
        private String roles;

        @Option(
                names = "--days",
                defaultValue = "90",
                converter = ArgumentConverters.PositiveInt.class,
                paramLabel = "N",
                description = "For how many days it counts; at most 366 (90).")
        private int days;

        @Override
        public Integer call() {
            if (days > MOST_DAYS) {
                throw new IllegalArgumentException("A token counts for " + MOST_DAYS + " days at most");
            }
            LocalDate today = LocalDate.ofInstant(InstantSource.system().instant(), ZoneOffset.UTC);
            TokensFile.Made made = TokensFile.make(name, roles, today.plusDays(days));
            output().say(made.token());
            output().say(made.line());
            return ExitCode.OK;
        }
    }
}
