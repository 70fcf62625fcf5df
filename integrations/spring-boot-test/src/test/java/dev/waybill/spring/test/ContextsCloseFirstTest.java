package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** At the end of the JVM, Spring closes its contexts beside the kit, which stops the database. */
@Timeout(120)
class ContextsCloseFirstTest {
    @Test
    void contexts_that_are_open_at_the_end_of_the_jvm_close_in_good_order_and_soon() throws Exception {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContextsProcess.class.getName())
                .redirectErrorStream(true)
                .start();

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).doesNotContain(" WARN ", " ERROR ", "Exception", "could not be dropped");
        // Two starts are in it.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).as(output).isLessThan(Duration.ofSeconds(60));
    }
}
