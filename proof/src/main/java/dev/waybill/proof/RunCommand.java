package dev.waybill.proof;

import dev.waybill.proof.check.Finding;
import dev.waybill.proof.report.Report;
import dev.waybill.proof.run.ProofRun;
import dev.waybill.proof.run.RunSettings;
import dev.waybill.proof.run.Verdict;
import dev.waybill.proof.timeline.Timeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "One run: writers, relays, consumers and an operator at work while nemeses strike.")
final class RunCommand implements Callable<Integer> {
    @Option(names = "--messages", defaultValue = "20000", description = "how many are committed")
    private long messages;

    @Option(names = "--seed", defaultValue = "1", description = "decides what strikes when, and what is written")
    private long seed;

    @Option(names = "--nemesis", split = ",", defaultValue = "all", description = "names, all or none")
    private List<String> nemeses = List.of();

    @Option(names = "--sessions", defaultValue = "200", description = "accounts that receive")
    private int sessions;

    @Option(names = "--relays", defaultValue = "3")
    private int relays;

    @Option(names = "--consumers", defaultValue = "3", description = "processes, each with three consumers")
    private int consumers;

    @Option(names = "--fronts", defaultValue = "2", description = "how many nemeses strike side by side")
    private int fronts;

    @Option(
            names = "--report",
            defaultValue = "proof-report",
            description = "folder for report.html, report.json and logs")
    private Path folder = Path.of("");

    @Option(names = "--jdbc-url", description = "an empty database of yours; nemeses that cannot reach it are left out")
    private Optional<String> jdbcUrl = Optional.empty();

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(folder);
        var settings = new RunSettings(
                messages,
                seed,
                nemeses,
                sessions,
                new RunSettings.Size(relays, consumers, fronts),
                new RunSettings.Place(folder, jdbcUrl));
        Verdict verdict = new ProofRun(settings, new Timeline(System.out::println)).run();
        Report.write(verdict, folder);
        verdict.findings().forEach(RunCommand::print);
        System.out.println((verdict.holds() ? "The proof holds" : "The proof does NOT hold") + " (seed " + seed + "): "
                + folder.resolve("report.html"));
        return verdict.holds() ? 0 : 1;
    }

    static void print(Finding finding) {
        System.out.println((finding.holds() ? "  holds   " : "  BROKEN  ")
                + finding.check()
                + (finding.holds()
                        ? ""
                        : ": " + finding.count() + ", " + finding.examples().get(0)));
    }
}
