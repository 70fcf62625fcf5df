package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The bill of materials says the same as the build, where it has to repeat it. */
class BomTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern MODULE = Pattern.compile("<module>([a-z/-]+)</module>");
    private static final Pattern MANAGED = Pattern.compile("<artifactId>([a-z-]+)</artifactId>\\s*<version>([^<]+)<");

    @Test
    void every_published_module_is_in_the_bom() throws IOException {
        var published = new TreeSet<String>();
        for (MatchResult module : all(MODULE, Files.readString(ROOT.resolve("pom.xml")))) {
            String pom = Files.readString(ROOT.resolve(module.group(1)).resolve("pom.xml"));
            if (!pom.contains("<packaging>pom<") && !pom.contains("<maven.deploy.skip>true<")) {
                published.add("waybill-" + Path.of(module.group(1)).getFileName());
            }
        }

        assertThat(all(MANAGED, bom()).stream()
                        .filter(entry -> entry.group(2).equals("${project.version}"))
                        .map(entry -> entry.group(1))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void the_bom_promises_no_other_versions_than_the_build_is_tested_with() throws IOException {
        String build = Files.readString(ROOT.resolve("pom.xml"));
        List<MatchResult> managed = all(MANAGED, build);
        var others = new ArrayList<String>();

        for (MatchResult entry : all(MANAGED, bom())) {
            String promised = entry.group(2);
            managed.stream()
                    .filter(own -> own.group(1).equals(entry.group(1)))
                    .map(own -> filledIn(own.group(2), build))
                    .filter(tested -> !tested.equals(promised))
                    .forEach(tested -> others.add(entry.group(1) + ": " + promised + " rather than " + tested));
        }

        assertThat(others).isEmpty();
    }

    private static String bom() throws IOException {
        return Files.readString(ROOT.resolve("bom/pom.xml")).replaceFirst("(?s)<parent>.*</parent>", "");
    }

    private static String filledIn(String version, String pom) {
        if (!version.startsWith("${") || version.equals("${project.version}")) {
            return version;
        }
        String name = version.substring(2, version.length() - 1);
        Matcher property =
                Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<").matcher(pom);
        assertThat(property.find()).as("a property " + name).isTrue();
        return property.group(1);
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }
}
