package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** Prometheus' own judge of rules, where it is installed. */
final class Promtool {
    private final Path folder;

    private Promtool(Path folder) {
        this.folder = folder;
    }

    /** Ends the test as skipped where it is not installed. */
    static Promtool in(Path folder) throws IOException, InterruptedException {
        boolean there = Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "promtool")));
        assumeTrue(there, "promtool is not on the path");
        var promtool = new Promtool(folder);
        LoggerFactory.getLogger(Promtool.class)
                .info(
                        "Judged by {}",
                        promtool.run("--version").lines().findFirst().orElse("promtool"));
        return promtool;
    }

    /** Runs it, and fails with what it said. */
    String run(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments))
                        .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
