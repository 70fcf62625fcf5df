package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example to begin with runs as one file, prints what the README shows, and is as short as it says. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class FirstExampleTest {
    private static final Path EXAMPLE = Path.of("../examples/first/First.java");
    private static final String HANDLED = "handled hello-1: Hello world";
    private static final int MOST_LINES = 40;

    @Test
    void it_handles_the_message_that_it_sends(@TempDir Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EXAMPLE.toString(),
                        "Hello world")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readAllLines(output)).contains(HANDLED);
        assertThat(Files.readAllLines(Path.of("../README.md"))).contains(HANDLED);
    }

    @Test
    void it_is_as_short_as_the_pages_say() throws IOException {
        List<String> code = Files.readAllLines(EXAMPLE).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("/**"))
                .toList();

        assertThat(code).hasSizeLessThanOrEqualTo(MOST_LINES);
    }
}
