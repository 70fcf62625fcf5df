package dev.waybill.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.doctor.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/tour.md names a run of the damage and one of the cure for each mistake of the doctor, and its command runs them. */
class TourPageTest {
    private static final Path PAGE = Path.of("../docs/tour.md");
    private static final Path HERE = Path.of("src/test/java/dev/waybill/mistakes");
    private static final Pattern NAMED = Pattern.compile("`([a-z]\\w+_)…`");
    private static final Pattern METHOD = Pattern.compile("@Test\\s+void (\\w+)\\(");
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ (.*)$");

    @Test
    void each_mistake_of_the_doctor_has_a_run_of_its_damage_and_one_of_its_cure() throws IOException {
        List<String> numbered =
                named().stream().filter(name -> name.matches(".*_\\d+_")).toList();

        assertThat(numbered)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Diagnosis.values())
                        .map(Diagnosis::number)
                        .filter(number -> number <= 14)
                        .flatMap(number -> Stream.of("mistake_" + number + "_", "cure_" + number + "_"))
                        .toList());
    }

    @Test
    void each_run_that_the_page_names_exists_and_the_page_names_each_run() throws IOException {
        List<String> names = named();
        List<String> runs = runs();

        assertThat(names).allSatisfy(name -> assertThat(runs).anyMatch(run -> run.startsWith(name)));
        assertThat(runs).isNotEmpty().allSatisfy(run -> assertThat(names).anyMatch(run::startsWith));
    }

    @Test
    void the_command_of_the_page_selects_all_of_them() throws IOException {
        List<String> commands = found(COMMAND, Files.readString(PAGE));

        assertThat(commands).singleElement().asString().endsWith("-Dtest='*MistakesTest'");
        try (Stream<Path> files = Files.list(HERE)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(file -> file.endsWith("Test.java") && !file.startsWith("TourPage")))
                    .hasSize(4)
                    .allMatch(file -> file.endsWith("MistakesTest.java"));
        }
    }

    private static List<String> named() throws IOException {
        // The introduction explains the two forms.
        return found(NAMED, Files.readString(PAGE)).stream()
                .filter(name -> !name.endsWith("_N_"))
                .toList();
    }

    private static List<String> runs() throws IOException {
        var sources = new StringBuilder();
        try (Stream<Path> files = Files.list(HERE)) {
            for (Path file : files.filter(path -> path.toString().endsWith("MistakesTest.java"))
                    .toList()) {
                sources.append(Files.readString(file));
            }
        }
        return found(METHOD, sources.toString());
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
