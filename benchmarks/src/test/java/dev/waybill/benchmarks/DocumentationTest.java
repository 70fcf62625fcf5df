package dev.waybill.benchmarks;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages: their links lead somewhere, their code is the code of a test, and the tests that they name exist. */
class DocumentationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern JAVA_OR_KOTLIN = Pattern.compile("```(?:java|kotlin)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OTHER_LANGUAGE =
            Pattern.compile("```(?:javascript|python)\\n(.*?)```", Pattern.DOTALL);
    private static final Path INTEGRATIONS = ROOT.resolve("integrations");
    private static final String TESTS = "src/test/java/dev/waybill/";
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)(?:\\.(\\w+))?`");

    @Test
    void every_link_leads_to_a_file() throws IOException {
        var broken = new ArrayList<String>();
        for (Path page : pages()) {
            for (String link : found(LINK, Files.readString(page))) {
                String path = link.replaceFirst("#.*", "");
                boolean local = !path.isEmpty() && !link.matches("[a-z]+:.*");
                if (local && !Files.exists(page.resolveSibling(path))) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void the_code_of_first_pages_and_guides_is_run_by_a_test() throws IOException {
        String tests = code(ROOT.resolve("examples"), ".java")
                + code(ROOT.resolve("examples"), ".kt")
                + code(INTEGRATIONS.resolve("spring-boot-starter/" + TESTS + "spring/autoconfigure"), ".java")
                + text(INTEGRATIONS.resolve("jakarta-transactions/" + TESTS + "jakarta/JakartaPageTest.java"))
                + code(Path.of(TESTS + "benchmarks"), ".java");
        var strange = new ArrayList<String>();
        int blocks = 0;
        for (Path page : pages()) {
            Pattern languages = page.toString().contains("/guides/") ? JAVA_OR_KOTLIN : JAVA;
            if (page.toString().matches(".*/docs/(guides|getting-started)/.*")) {
                for (String code : found(languages, Files.readString(page))) {
                    blocks++;
                    if (!tests.contains(plain(code))) {
                        strange.add(ROOT.relativize(page) + ": " + code);
                    }
                }
            }
        }

        assertThat(blocks).isGreaterThan(40);
        assertThat(strange).isEmpty();
    }

    @Test
    void the_code_in_other_languages_is_that_of_the_examples() throws IOException {
        Path examples = ROOT.resolve("examples");
        String code = Files.readString(examples.resolve("javascript/inbox.mjs"))
                + Files.readString(examples.resolve("python/inbox.py"));
        List<String> blocks = found(OTHER_LANGUAGE, Files.readString(ROOT.resolve("docs/guides/other-languages.md")));

        assertThat(blocks).hasSize(2).allSatisfy(block -> assertThat(code).contains(block));
    }

    private static String code(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .map(DocumentationTest::text)
                    .collect(joining("\n"));
        }
    }

    private static String text(Path file) {
        try {
            return plain(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void every_test_that_a_page_names_exists() throws IOException {
        Set<String> classes = sources()
                .map(path -> path.getFileName().toString().replace(".java", ""))
                .collect(toSet());
        var missing = new ArrayList<String>();
        for (Path page : pages()) {
            // The list of changes names what there was then.
            if (!page.endsWith("CHANGELOG.md")) {
                TEST.matcher(Files.readString(page))
                        .results()
                        .filter(test -> !classes.contains(test.group(1)))
                        .forEach(test -> missing.add(ROOT.relativize(page) + ": " + test.group()));
            }
        }

        assertThat(missing).isEmpty();
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }

    private static String plain(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            paths.filter(path -> path.toString().endsWith(".md")),
                            Stream.of(
                                            "README.md",
                                            "CONTRIBUTING.md",
                                            "CHANGELOG.md",
                                            "sample-app/README.md",
                                            "testing/sample-demo/README.md",
                                            "examples/README.md",
                                            "testing/embedded-service-bus/README.md",
                                            "testing/embedded-service-bus/CHECKS.md")
                                    .map(ROOT::resolve))
                    .filter(Files::exists)
                    .toList();
        }
    }

    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT)) {
            return paths
                    .filter(path -> path.toString().endsWith("Test.java")
                            && path.toString().contains("src/test/java"))
                    .toList()
                    .stream();
        }
    }
}
