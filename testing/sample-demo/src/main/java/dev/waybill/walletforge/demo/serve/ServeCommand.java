package dev.waybill.walletforge.demo.serve;

import dev.waybill.walletforge.demo.input.BadInputException;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the service until Ctrl-C. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Serves the wallets' HTTP API on loopback, and a page that breaks things, until Ctrl-C.",
        description = {"", "Without options it runs on an embedded PostgreSQL and an embedded Service Bus.", ""})
public final class ServeCommand implements Callable<Integer> {
    @Option(names = "--port", paramLabel = "PORT", description = "Of loopback (8070); 0 for any free one.")
    private int port = 8070;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "A PostgreSQL to use instead; the tables are made in the schemas wallet_forge and"
                    + " wallet_forge_waybill.")
    private @Nullable String jdbcUrl;

    @Option(
            names = "--service-bus",
            paramLabel = "BUS",
            description = "A Service Bus to use instead: a connection string, or a namespace's host name. It needs the"
                    + " entities that the README lists, and is served without the page.")
    private @Nullable String serviceBus;

    @Option(names = "--mails", paramLabel = "DIR", description = "Where e-mails are left (a temporary directory).")
    private @Nullable Path mails;

    @Option(
            names = "--traffic",
            paramLabel = "N",
            description = "Payments a second that the page's own sender makes (20).")
    private int traffic = 20;

    @Option(names = "--console", paramLabel = "URL", description = "An operators' console for the page to link to.")
    private @Nullable String console;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        check();
        PrintWriter out = spec.commandLine().getOut();
        out.println("starting PostgreSQL and Service Bus");
        out.flush();
        Path directory =
                mails == null ? Files.createTempDirectory("walletforge-mails") : Files.createDirectories(mails);
        var ended = new CountDownLatch(1);
        String mainClass = spec.root().userObject().getClass().getName();
        try (var parts = RunningParts.start(
                        Optional.ofNullable(jdbcUrl),
                        Optional.ofNullable(serviceBus).map(ServiceBusAddress::new),
                        directory);
                var served = Served.start(parts, new Settings(port, traffic, console), mainClass)) {
            Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown));
            out.println("serving http://127.0.0.1:" + served.port() + "/ until Ctrl-C");
            out.flush();
            ended.await();
        }
        return 0;
    }

    private void check() throws IOException {
        if (jdbcUrl != null && !jdbcUrl.startsWith("jdbc:postgresql:")) {
            throw new BadInputException("--jdbc-url must start with jdbc:postgresql:");
        }
        if (port < 0 || port > 65_535 || traffic < 0 || traffic > 1_000) {
            throw new BadInputException("--port must be from 0 to 65535, and --traffic from 0 to 1000");
        }
        if (serviceBus != null) {
            try {
                var unused = new ServiceBusAddress(serviceBus);
            } catch (IllegalArgumentException e) {
                throw new BadInputException("--service-bus is " + e.getMessage());
            }
        }
    }

    record Settings(int port, int traffic, @Nullable String console) {}
}
