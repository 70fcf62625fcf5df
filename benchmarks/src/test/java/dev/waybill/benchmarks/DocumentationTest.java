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
    void the_code_of_the_first_pages_is_run_by_a_test() throws IOException {
        String tests = Stream.of("First", "GettingStartedTest", "FirstTest", "TestingPageTest", "OwnDatabasePageTest")
                .map(DocumentationTest::test)
                .collect(joining("\n"));
        var strange = new ArrayList<String>();
        int blocks = 0;
        for (Path page : pages()) {
            if (page.toString().contains("getting-started") || page.endsWith("prove-your-handler.md")) {
                for (String code : found(JAVA, Files.readString(page))) {
                    blocks++;
                    if (!tests.contains(plain(code))) {
                        strange.add(code);
                    }
                }
            }
        }

        assertThat(blocks).isGreaterThan(4);
        assertThat(strange).isEmpty();
    }

    @Test
    void the_code_of_the_page_on_publishers_is_the_examples() throws IOException {
        String example;
        try (Stream<Path> files = Files.walk(ROOT.resolve("examples/publish-to-http/src"))) {
            example = files.filter(file -> file.toString().endsWith(".java"))
                    .map(DocumentationTest::text)
                    .collect(joining("\n"));
        }
        List<String> shown = found(JAVA, Files.readString(ROOT.resolve("docs/guides/publisher.md")));

        assertThat(shown)
                .hasSizeGreaterThan(2)
                .allSatisfy(code -> assertThat(example).contains(plain(code)));
    }

    private static String text(Path file) {
        try {
            return plain(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String test(String name) {
        return text(Path.of("src/test/java/dev/waybill/benchmarks/" + name + ".java"));
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
        return code.replaceAll("\\s+", " ").strip();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            paths.filter(path -> path.toString().endsWith(".md")),
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "sample-app/README.md")
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
