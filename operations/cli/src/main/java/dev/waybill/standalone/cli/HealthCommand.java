package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.ProcessSettings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "health",
        description = "Asks the relay on this machine how it is, for containers without curl."
                + " Exit code 0 if well, 1 if not, 5 if it does not answer.")
final class HealthCommand extends CliCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int WELL = 200;

    @Option(
            names = "--probe",
            paramLabel = "PROBE",
            defaultValue = "READY",
            description = "${COMPLETION-CANDIDATES} (READY).")
    @SuppressWarnings("NullAway.Init")
    private Probe probe;

    @Option(names = "--url", paramLabel = "URL", description = "Where, if not on the configured port of this machine.")
    private @Nullable String url;

    @Override
    public Integer call() throws InterruptedException {
        String address = url == null ? address(configuration().process()) : url;
        URI asked = URI.create(address + "/" + probe.name().toLowerCase(Locale.ROOT) + "z");
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(
                            HttpRequest.newBuilder(asked).timeout(PATIENCE).build(),
                            HttpResponse.BodyHandlers.ofString());
            boolean well = answer.statusCode() == WELL;
            output().object(Output.row(
                    "probe", asked, "well", well, "answer", answer.body().strip()));
            return well ? ExitCode.OK : ExitCode.FAILED;
        } catch (IOException e) {
            output().object(Output.row("probe", asked, "well", false, "answer", "no answer: " + why(asked, e)));
            return ExitCode.UNREACHABLE;
        }
    }

    private static String why(URI asked, IOException failure) {
        if (isUnknownHost(failure)) {
            return "the host '" + asked.getHost() + "' is not known here";
        }
        if (failure instanceof HttpTimeoutException) {
            return "nothing came from " + asked.getAuthority() + " within " + PATIENCE.toSeconds() + " s";
        }
        return failure instanceof ConnectException
                ? "nobody takes connections at " + asked.getAuthority()
                        + ". Start a relay by 'waybill-relay run', or name the"
                        + " place of one that runs elsewhere by http.port or --url"
                : failure.toString();
    }

    private static boolean isUnknownHost(Throwable failure) {
        return failure instanceof UnresolvedAddressException
                || (failure.getCause() != null && isUnknownHost(failure.getCause()));
    }

    private static String address(ProcessSettings settings) {
        String bind = settings.http().bind();
        String host = switch (bind) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "::1";
            default -> bind;
        };
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + settings.http().port();
    }

    enum Probe {
        LIVE,
        READY,
        STARTUP
    }
}
