package dev.waybill.walletforge.demo;

import dev.waybill.walletforge.demo.console.ConsoleProcess;
import dev.waybill.walletforge.demo.input.BadInputException;
import dev.waybill.walletforge.demo.input.GeneratedLoad;
import dev.waybill.walletforge.demo.input.PaymentCsv;
import dev.waybill.walletforge.demo.input.PaymentInput;
import dev.waybill.walletforge.demo.proof.Proof;
import dev.waybill.walletforge.demo.report.ReportFile;
import dev.waybill.walletforge.demo.run.Demo;
import dev.waybill.walletforge.demo.run.DemoSettings;
import dev.waybill.walletforge.demo.screen.ProofTable;
import dev.waybill.walletforge.demo.screen.Screen;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        header = "Takes payments in, has them published and applied to wallets, and proves the result.",
        description = {
            "",
            "Without options it makes a load of its own and runs it on an embedded PostgreSQL and an embedded Service"
                    + " Bus.",
            ""
        },
        footer = {
            "",
            "Exit code: 0 the proof holds; 1 it does not, or the run could not be ended; 2 bad input, nothing done.",
            "",
            "Every run makes a pair of schemas of its own, wallet_forge_<n> and wallet_forge_<n>_waybill, with the next"
                    + " free number; in a given database they stay for inspection."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--input",
            paramLabel = "FILE",
            description =
                    "CSV tx_id,wallet_id,kind,amount_cents; kind is credit or debit. A wallet's payments take effect"
                            + " in file order; a repeated tx_id is a resend and has no effect.")
    private @Nullable Path input;

    @Option(names = "--transactions", paramLabel = "N", description = "Payments to make without --input (800).")
    private @Nullable Integer transactions;

    @Option(names = "--wallets", paramLabel = "W", description = "Wallets to spread them over (100).")
    private @Nullable Integer wallets;

    @Option(names = "--seed", paramLabel = "S", description = "Decides load and faults (1).", defaultValue = "1")
    private long seed;

    @Option(names = "--balances", paramLabel = "FILE", description = "Write wallet_id,balance_cents,applied,declined.")
    private @Nullable Path balances;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the figures as JSON.")
    private @Nullable Path report;

    @Option(
            names = "--faults",
            description =
                    "Deliver messages twice, lose settlements, throttle sends, acknowledge them too late or never,"
                            + " drop connections, detach links, throw Errors out of handlers and interrupt them, refuse a message until an operator releases its wallet, spoil"
                            + " some payments so that they come home as dead letters and are repaired, and"
                            + " kill the relay's process four times, inside a send and before a settle among them. Embedded"
                            + " Service Bus only.")
    private boolean faults;

    @Option(
            names = "--console",
            arity = "0..1",
            fallbackValue = "8090",
            paramLabel = "PORT",
            description =
                    "Serve the operators' console on this port of loopback (8090; 0 for any free one), until Ctrl-C. With"
                            + " --faults you are the operator: what is held, and dead letters that no rule repairs, wait"
                            + " for you there.")
    private @Nullable Integer console;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "A PostgreSQL to use instead, credentials included: jdbc:postgresql://host/db?user=..."
                    + "&password=...; the role must be allowed to create schemas.")
    private @Nullable String jdbcUrl;

    @Option(
            names = "--service-bus",
            paramLabel = "BUS",
            description = "A Service Bus to use instead: a connection string, or a namespace's host name (then with"
                    + " managed identity). It needs a queue wallet-tx that requires sessions.")
    private @Nullable String serviceBus;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "Judge the run as it stands once nothing has moved for so long (60).",
            defaultValue = "60")
    private int patience;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private int exitCode;

    @Override
    public Integer call() throws Exception {
        checkOutput("--balances", balances);
        checkOutput("--report", report);
        if (sameFile(input, balances) || sameFile(input, report) || sameFile(balances, report)) {
            throw new BadInputException("--input, --balances and --report must name different files");
        }
        var settings = settings();
        PrintWriter out = spec.commandLine().getOut();
        var demo = new Demo(settings, WalletForge.class.getName(), Screen.on(out, isTerminal()));
        demo.run(Optional.ofNullable(balances), this::tell);
        return exitCode;
    }

    private void tell(Proof proof) {
        exitCode = proof.ok() ? 0 : 1;
        try {
            if (report != null) {
                ReportFile.write(report, proof);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println(ProofTable.of(proof));
        out.flush();
    }

    private DemoSettings settings() {
        if (faults && serviceBus != null) {
            throw new BadInputException(
                    "--faults cannot be combined with --service-bus: only the embedded one can be made to fail");
        }
        if (jdbcUrl != null && !jdbcUrl.startsWith("jdbc:postgresql:")) {
            throw new BadInputException("--jdbc-url must start with jdbc:postgresql:");
        }
        Optional<ServiceBusAddress> bus = Optional.ofNullable(serviceBus).map(DemoCommand::address);
        var payments = payments();
        if (faults && payments.transactions() == 0) {
            throw new BadInputException("--faults needs at least one payment");
        }
        var faultSeed = faults ? OptionalLong.of(seed) : OptionalLong.empty();
        return new DemoSettings(
                payments,
                faultSeed,
                Optional.ofNullable(jdbcUrl),
                bus,
                consolePort(),
                Duration.ofSeconds(Math.max(1, patience)));
    }

    private OptionalInt consolePort() {
        if (console == null) {
            return OptionalInt.empty();
        }
        if (console < 0 || console > 65_535) {
            throw new BadInputException("--console must be a port from 0 to 65535");
        }
        ConsoleProcess.requireClasses();
        return OptionalInt.of(console);
    }

    private static ServiceBusAddress address(String value) {
        try {
            return new ServiceBusAddress(value);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--service-bus is " + e.getMessage());
        }
    }

    private PaymentInput payments() {
        if (input == null) {
            return new GeneratedLoad(transactions == null ? 800 : transactions, wallets == null ? 100 : wallets, seed)
                    .payments();
        }
        if (transactions != null || wallets != null) {
            throw new BadInputException(
                    "--input brings its own payments: --transactions and --wallets have no meaning");
        }
        return PaymentCsv.read(input);
    }

    // Found out now, not after the run.
    private static void checkOutput(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new BadInputException(option + " " + file + ": not a file in an existing directory");
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new BadInputException(option + " " + file + ": cannot be written");
        }
    }

    private static boolean sameFile(@Nullable Path one, @Nullable Path other) {
        return one != null
                && other != null
                && one.toAbsolutePath()
                        .normalize()
                        .equals(other.toAbsolutePath().normalize());
    }

    // The live line is written with the same escapes as colours are.
    private static boolean isTerminal() {
        return Ansi.AUTO.enabled() && System.getenv("CI") == null;
    }
}
