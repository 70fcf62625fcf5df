package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cost.Bill;
import dev.waybill.standalone.cost.Comparison;
import dev.waybill.standalone.cost.Counters;
import dev.waybill.standalone.cost.Load;
import dev.waybill.standalone.cost.LoadFile;
import dev.waybill.standalone.cost.Prices;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "cost",
        description = {
            "Computes what a load costs on Service Bus: operations for each message and month, and money by your own prices.",
            "Asks neither a database nor a namespace. Exit code 10 if Standard does not take the load, or prices are placeholders."
        })
final class CostCommand extends CliCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Option(names = "--load", paramLabel = "FILE", description = "The load, in YAML.")
    private @Nullable Path load;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Without a file: messages a second to one queue or topic.")
    private @Nullable Double rate;

    @Option(
            names = "--bytes",
            converter = ArgumentConverters.PositiveInt.class,
            paramLabel = "N",
            description = "Without a file: bytes of a message with its properties (1024).")
    private int bytes = Load.USUAL_BYTES;

    @Option(
            names = "--subscriptions",
            converter = ArgumentConverters.RowLimit.class,
            paramLabel = "N",
            description = "Without a file: subscriptions of a topic, each of which gets every message. None: a queue.")
    private int subscriptions;

    @Option(names = "--sessions", description = "Without a file: the consumers' entities have sessions.")
    private boolean sessions;

    @Option(
            names = "--metrics",
            paramLabel = "URL|FILE",
            description = "What a relay serves at /metrics: rates for destinations whose load gives none. Once for each"
                    + " relay: rates add up.")
    private List<String> metrics = List.of();

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "Prices of your region, in YAML. Without: operations only.")
    private @Nullable Path prices;

    @Override
    public Integer call() throws InterruptedException {
        var served = new ArrayList<String>();
        for (String place : metrics) {
            try {
                served.add(served(place));
            } catch (ConnectException | HttpTimeoutException e) {
                warn(place + " does not answer");
                return ExitCode.UNREACHABLE;
            } catch (IOException e) {
                throw new IllegalArgumentException(place + " cannot be read: " + e, e);
            }
        }
        return print(Counters.read(served));
    }

    private int print(Map<String, Counters.Rate> counted) {
        Bill bill = Bill.of(load(counted));
        counted.keySet().stream()
                .filter(name -> bill.load().traffic().stream()
                        .noneMatch(traffic -> traffic.destination().equals(name)))
                .forEach(name -> warn("Counted, and not in the load: " + name));
        Optional<Prices> given = Optional.ofNullable(prices).map(Prices::read);
        Comparison comparison = Comparison.of(bill, given);
        var report = new CostReport(bill, given, comparison);
        if (output().isJson()) {
            output().object(report.json());
        } else {
            report.print(output());
        }
        boolean placeholder = given.map(Prices::placeholder).orElse(false);
        if (placeholder) {
            warn("The prices in " + prices + " are placeholders: put those of your region and contract in their place");
        }
        boolean fits = comparison.tier("standard").lacks().isEmpty();
        return placeholder || !fits ? ExitCode.WARNINGS : ExitCode.OK;
    }

    private Load load(Map<String, Counters.Rate> counted) {
        boolean plain = rate != null || bytes != Load.USUAL_BYTES || subscriptions > 0 || sessions;
        if (load != null) {
            if (plain) {
                throw new IllegalArgumentException(
                        "--load says all: leave out --rate, --bytes, --subscriptions, --sessions");
            }
            return LoadFile.read(load, counted);
        }
        if (rate == null && counted.isEmpty()) {
            throw new IllegalArgumentException("Which load? Give --load, --rate or --metrics");
        }
        if (rate != null && !(rate >= 0 && rate <= 1e9)) {
            throw new IllegalArgumentException("--rate is " + rate + ", not a number of messages a second");
        }
        Map<String, Counters.Rate> rates = rate == null ? counted : Map.of("messages", new Counters.Rate(rate, 0));
        return Load.plain(rates, bytes, subscriptions, sessions);
    }

    private static String served(String place) throws IOException, InterruptedException {
        if (!place.startsWith("http://") && !place.startsWith("https://")) {
            return Files.readString(Path.of(place));
        }
        HttpResponse<String> answer = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create(place))
                                .timeout(PATIENCE)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalArgumentException(place + " answers with " + answer.statusCode());
        }
        return answer.body();
    }
}
