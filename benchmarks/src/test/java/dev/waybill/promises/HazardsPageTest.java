package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/concepts/hazards.md is made of the names of these tests: {@code -Dwaybill.hazards=write} writes it anew. */
class HazardsPageTest {
    private static final Path CONCEPTS = Path.of("../docs/concepts");
    private static final Path HERE = Path.of("src/test/java/dev/waybill/promises");
    private static final Pattern PROMISE = Pattern.compile("/\\*\\* (G\\d): (.*) \\*/");
    private static final Pattern TEST = Pattern.compile("@Test\\s+void (\\w+)\\(");

    private static final List<String> CLASSES = List.of(
            "CommittedTogetherTest",
            "EveryRowIsPublishedTest",
            "OrderWithinASessionTest",
            "RepeatsCarryTheSameIdTest",
            "EffectsHappenOnceTest",
            "PoisonBlocksOnlyItsSessionTest",
            "DeadLettersAreNeverLostTest");

    @Test
    void the_page_of_hazards_has_the_names_of_the_tests() throws IOException {
        String page = """
                # Hazards

                Each line is a test of a [promise](guarantees.md), by its name. This page is made of the tests by `HazardsPageTest`.
                """ + CLASSES.stream().map(HazardsPageTest::section).collect(Collectors.joining());
        Path file = CONCEPTS.resolve("hazards.md");
        if ("write".equals(System.getProperty("waybill.hazards"))) {
            Files.writeString(file, page);
        }

        assertThat(Files.readString(file)).isEqualTo(page);
    }

    @Test
    void each_promise_has_a_page_that_names_its_test() throws IOException {
        String index = Files.readString(CONCEPTS.resolve("guarantees.md"));
        for (String each : CLASSES) {
            assertThat(Files.readString(page(each))).contains("`" + each + "`");
            assertThat(index)
                    .contains("`" + each + "`", page(each).getFileName().toString());
        }
    }

    private static String section(String test) {
        String source = text(HERE.resolve(test + ".java"));
        var promise = PROMISE.matcher(source);
        assertThat(promise.find()).as(test + " says its promise").isTrue();
        return "\n## " + promise.group(1) + " " + title(promise.group(2)) + "\n"
                + TEST.matcher(source)
                        .results()
                        .map(found -> "- " + found.group(1).replace('_', ' ') + "\n")
                        .collect(Collectors.joining());
    }

    private static String title(String promise) {
        return promise.substring(0, 1).toUpperCase(Locale.ROOT) + promise.substring(1);
    }

    private static Path page(String test) {
        String name = test.substring(0, test.length() - "Test".length()).replaceAll("(?<!^)([A-Z])", "-$1");
        return CONCEPTS.resolve("promises/" + name.toLowerCase(Locale.ROOT) + ".md");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
