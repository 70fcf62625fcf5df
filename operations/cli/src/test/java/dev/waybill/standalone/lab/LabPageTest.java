package dev.waybill.standalone.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.emulator.EmulatorConfig;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.io.IOException;
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
    private static final String PROMPT = "$ waybill-relay ";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

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
            List<Step> steps = steps();
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
        String[] arguments = words(step.command);
        if (step.command.endsWith("&")) {
            Path log = directory.resolve("relay-" + relays.size() + ".log");
            relays.add(program.start(
                    log,
                    variables,
                    List.of(arguments).subList(0, arguments.length - 1).toArray(String[]::new)));
        } else if (LOOKS.matcher(step.command).matches()) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertPrinted(step, program.run(variables, arguments)));
        } else {
            assertPrinted(step, program.run(variables, arguments));
        }
    }

    private static void assertPrinted(Step step, Result result) {
        var expression = new StringBuilder();
        for (String line : step.printed) {
            if (line.equals("…")) {
                expression.append("(?s:.*)");
            } else {
                String quoted = Pattern.quote(line).replace("…", "\\E.*?\\Q");
                expression.append(quoted.replaceAll(" +", "\\\\E +\\\\Q")).append(" *\n");
            }
        }
        assertThat(result.out())
                .as("%s: %s", step.command, result.err())
                .matches(Pattern.compile("(?s:" + expression + ".*)", Pattern.DOTALL));
    }

    private static List<Step> steps() throws IOException {
        var steps = new ArrayList<Step>();
        boolean console = false;
        for (String line : Files.readAllLines(DOCS.resolve("lab.md"))) {
            if (line.startsWith("```")) {
                console = line.equals("```console");
            } else if (console && line.startsWith(PROMPT)) {
                steps.add(new Step(line.substring(PROMPT.length()), new ArrayList<>()));
            } else if (console) {
                steps.get(steps.size() - 1).printed.add(line.strip().equals("…") ? "…" : line.stripTrailing());
            }
        }
        return steps;
    }

    private String[] words(String command) {
        var words = new ArrayList<String>();
        Matcher matcher = WORD.matcher(command.replaceAll("http\\.port=[0-9]+", "http.port=0"));
        while (matcher.find()) {
            words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
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

    private record Step(String command, List<String> printed) {}
}
