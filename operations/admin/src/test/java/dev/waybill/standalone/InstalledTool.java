package dev.waybill.standalone;

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

/** Another project's own judge of our files, where it is installed. */
public final class InstalledTool {
    private final String name;
    private final Path folder;

    private InstalledTool(String name, Path folder) {
        this.name = name;
        this.folder = folder;
    }

    /**
     * Ends the test as skipped where the tool is not on the path. Logs the version otherwise.
     *
     * @param folder where it runs
     * @param version the arguments that make it tell its version
     */
    public static InstalledTool of(String name, Path folder, String... version)
            throws IOException, InterruptedException {
        boolean there = Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, name)));
        assumeTrue(there, name + " is not on the path");
        var tool = new InstalledTool(name, folder);
        LoggerFactory.getLogger(InstalledTool.class)
                .info("Judged by {}", tool.run(version).lines().findFirst().orElse(name));
        return tool;
    }

    /** Runs it, and fails with what it said. */
    public String run(String... arguments) throws IOException, InterruptedException {
        Judgement judgement = judge(arguments);
        assertThat(judgement.exitCode()).as(judgement.said()).isZero();
        return judgement.said();
    }

    /** Runs it. */
    public Judgement judge(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of(name), Stream.of(arguments)).toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Judgement(process.waitFor(), said);
    }

    /** How it ended, and its output with its errors. */
    public record Judgement(int exitCode, String said) {}
}
