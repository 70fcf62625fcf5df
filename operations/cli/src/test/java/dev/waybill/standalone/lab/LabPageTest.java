package dev.waybill.standalone.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.emulator.EmulatorConfig;
import dev.waybill.standalone.ConsolePage;
import dev.waybill.standalone.ConsolePage.Step;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs docs/operations/lab.md from top to bottom: every command on the page, and every line that it says will be printed. */
@Timeout(300)
class LabPageTest {
    private static final Path DOCS = Path.of("../../docs/operations");

    /** They only look, so they may be asked again until what was done before has arrived. */
    private static final Pattern LOOKS = Pattern.compile("(status|health|lab peek|dlq list|dlq show).*");

    private final List<Process> relays = new ArrayList<>();

    @TempDir
    private Path directory;

    @Test
    @Tag("long")
    void every_command_on_the_page_prints_what_the_page_says() throws Exception {
        try (PostgresServer postgres = PostgresServer.embedded();
                EmbeddedServiceBus bus = EmulatorConfig.read(DOCS.resolve("lab/Config.json"))
                        .port(0)
                        .administrationPort(0)
                        .start()) {
            var program = Program.with(directory, Files.readString(DOCS.resolve("lab/waybill.yaml")));
            Map<String, String> variables = new HashMap<>();
            variables.put("WAYBILL_DATABASE_LAB_URL", postgres.jdbcUrl());
            variables.put("WAYBILL_NAMESPACE_LAB_CONNECTION_STRING", bus.connectionString());
            variables.put(
                    "WAYBILL_NAMESPACE_LAB_ADMINISTRATION_ENDPOINT", "http://127.0.0.1:" + bus.administrationPort());
            variables.put("WAYBILL_HTTP_PORT", "0");
            List<Step> steps = ConsolePage.steps(DOCS.resolve("lab.md"));
            assertThat(steps).hasSizeGreaterThan(20);
            for (Step step : steps) {
                run(program, variables, step);
            }
            for (Process relay : relays) {
                relay.destroy();
            }
            for (Process relay : relays) {
                assertThat(relay.waitFor()).isZero();
            }
        } finally {
            relays.forEach(Process::destroyForcibly);
        }
    }

    private void run(Program program, Map<String, String> variables, Step step) {
        String[] arguments = words(step.command());
        if (step.command().endsWith("&")) {
            Path log = directory.resolve("relay-" + relays.size() + ".log");
            relays.add(program.start(log, variables, arguments));
        } else if (LOOKS.matcher(step.command()).matches()) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertPrinted(step, program.run(variables, arguments)));
        } else {
            assertPrinted(step, program.run(variables, arguments));
        }
    }

    private static void assertPrinted(Step step, Result result) {
        assertThat(result.out()).as("%s: %s", step.command(), result.err()).matches(step.expected());
    }

    private String[] words(String command) {
        List<String> words =
                new ArrayList<>(List.of(ConsolePage.words(command.replaceAll("http\\.port=[0-9]+", "http.port=0"))));
        // The relays of the test listen wherever there is room.
        words.replaceAll(word -> word.equals("http://127.0.0.1:8081") ? url(0) : word);
        // The page is read in the directory of the sources, the test runs in the module's.
        words.replaceAll(word -> word.startsWith("docs/") ? "../../" + word : word);
        return words.toArray(String[]::new);
    }

    private String url(int relay) {
        Pattern port = Pattern.compile("metrics on 127\\.0\\.0\\.1:([0-9]+)");
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> {
                            Matcher matcher =
                                    port.matcher(Files.readString(directory.resolve("relay-" + relay + ".log")));
                            return matcher.find() ? "http://127.0.0.1:" + matcher.group(1) : "";
                        },
                        address -> !address.isEmpty());
    }
}
