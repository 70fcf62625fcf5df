package dev.waybill.proof;

import dev.waybill.proof.plant.PlantedBug;
import dev.waybill.proof.plant.PlantedBugs;
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
import picocli.CommandLine.Parameters;

@Command(
        name = "plant",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Compiles Waybill with one mistake at a time, and shows that the proof no longer holds.")
final class PlantCommand implements Callable<Integer> {
    @Parameters(description = "names of bugs, or all", arity = "1..*")
    private List<String> names = List.of();

    @Option(names = "--report", defaultValue = "proof-plants", description = "folder for logs")
    private Path folder = Path.of("");

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    @Override
    public Integer call() throws Exception {
        int missed = 0;
        System.out.println("| bug | nemesis | caught by | seconds |\n|---|---|---|---|");
        for (PlantedBug bug : PlantedBugs.named(names)) {
            missed += plant(bug) ? 0 : 1;
        }
        System.out.println(missed == 0 ? "every planted bug was caught" : missed + " were not caught");
        return missed == 0 ? 0 : 1;
    }

    private boolean plant(PlantedBug bug) throws Exception {
        Path own = Files.createDirectories(folder.resolve(bug.name()));
        Path classes = PlantedBugs.compile(bug, own.resolve("classes"));
        var log = new StringBuilder();
        var timeline = new Timeline(line -> log.append(line).append('\n'));
        var settings = new RunSettings(
                bug.messages(),
                seed,
                bug.nemeses(),
                bug.sessions(),
                new RunSettings.Size(2, 2, 1),
                new RunSettings.Place(own, Optional.empty()));
        Verdict verdict = new ProofRun(settings, List.of(classes), timeline).run();
        Files.writeString(own.resolve("run.log"), log);
        String caught = verdict.findings().stream()
                .filter(finding -> !finding.holds())
                .map(finding -> finding.check() + " (" + finding.count() + ")")
                .findFirst()
                .orElse("NOT CAUGHT");
        System.out.println("| " + bug.name() + " | " + String.join(", ", bug.nemeses()) + " | " + caught + " | "
                + timeline.now() / 1000 + " |");
        return !verdict.holds();
    }
}
