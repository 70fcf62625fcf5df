package dev.waybill.proof.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlantedBugsTest {
    static Stream<PlantedBug> bugs() throws Exception {
        return PlantedBugs.all().stream();
    }

    @Test
    void each_planted_bug_fits_the_source_that_it_changes() throws Exception {
        List<PlantedBug> bugs = PlantedBugs.all();

        assertThat(bugs)
                .hasSizeGreaterThanOrEqualTo(25)
                .allSatisfy(bug -> assertThat(PlantedBugs.mistaken(bug)).contains(bug.replace()));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    @Tag("long")
    void each_planted_bug_compiles(PlantedBug bug, @TempDir Path directory) throws Exception {
        Path classes = PlantedBugs.compile(bug, directory.resolve("classes"));

        try (Stream<Path> files = Files.walk(classes)) {
            assertThat(files.filter(Files::isRegularFile)).isNotEmpty();
        }
    }

    @Test
    void a_bug_whose_text_is_no_longer_there_is_refused_by_name() {
        var bug = new PlantedBug("old", "x/A.java", "gone", "mistaken", List.of("none"), new PlantedBug.Run(1, 1));

        assertThatThrownBy(() -> bug.in("class A {}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The planted bug old does not fit x/A.java any more: the text is not there");
    }

    @Test
    void a_bug_whose_text_is_there_twice_is_refused() {
        var bug = new PlantedBug("twice", "x/A.java", "a", "b", List.of("none"), new PlantedBug.Run(1, 1));

        assertThatThrownBy(() -> bug.in("a a")).hasMessageEndingWith("the text is there twice");
    }

    @Test
    void an_unknown_bug_is_named() {
        assertThatThrownBy(() -> PlantedBugs.named(List.of("nonsense")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no planted bug nonsense");
    }
}
