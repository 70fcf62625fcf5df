package dev.waybill.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.proof.plant.PlantedBug;
import dev.waybill.proof.plant.PlantedBugs;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "plant",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Compiles Waybill with one mistake at a time, and shows that the proof no longer holds.")
final class PlantCommand implements Callable<Integer> {
    private static final String JAR = "planted.jar";

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

    // In a process of its own, so that the tables and the operator's commands have the bug too.
    private boolean plant(PlantedBug bug) throws Exception {
        Path own = Files.createDirectories(folder.resolve(bug.name()));
        Files.deleteIfExists(own.resolve("report.json"));
        Path classes = PlantedBugs.compile(bug, own.resolve("classes"));
        long begun = System.nanoTime();
        boolean held = run(bug, classes, own) == 0;
        Files.deleteIfExists(own.resolve(JAR));
        String caught = held ? "NOT CAUGHT" : broken(own.resolve("report.json"));
        System.out.println("| " + bug.name() + " | " + String.join(", ", bug.nemeses()) + " | " + caught + " | "
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + " |");
        return !held;
    }

    private int run(PlantedBug bug, Path classes, Path own) throws IOException, InterruptedException {
        var command = new ArrayList<String>(List.of(System.getProperty("java.home") + "/bin/java", "-cp"));
        command.add(classPath(classes, own));
        command.addAll(List.of(Proof.class.getName(), "run", "--report", own.toString(), "--seed", "" + seed));
        command.addAll(List.of("--nemesis", String.join(",", bug.nemeses()), "--messages", "" + bug.messages()));
        command.addAll(
                List.of("--sessions", "" + bug.sessions(), "--relays", "2", "--consumers", "2", "--fronts", "1"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(own.resolve("run.log").toFile())
                .start()
                .waitFor();
    }

    // A copy of this jar with the bug in it, because a migration may not be on the class path twice.
    private static String classPath(Path classes, Path own) throws IOException {
        String path = System.getProperty("java.class.path");
        if (!path.endsWith(".jar") || path.contains(File.pathSeparator)) {
            return classes + File.pathSeparator + path;
        }
        Path jar = Files.copy(Path.of(path), own.resolve(JAR), StandardCopyOption.REPLACE_EXISTING);
        try (var zip = FileSystems.newFileSystem(jar);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path entry = zip.getPath(classes.relativize(file).toString());
                Files.copy(file, entry, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return jar.toString();
    }

    private static String broken(Path report) throws IOException {
        for (JsonNode finding : new ObjectMapper().readTree(report.toFile()).get("findings")) {
            if (finding.get("count").asLong() > 0) {
                return finding.get("check").asText() + " (" + finding.get("count") + ")";
            }
        }
        throw new IllegalStateException("The run has ended without a verdict: " + report);
    }
}
