package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sentences name the thing that they are about first, or else a reader who does not know it has to guess until their end. */
class ProseTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void no_comment_lets_its_reader_wait_for_the_thing_that_it_is_about() throws IOException {
        assertThat(lateNames(".java", Prose::ofComments)).isEmpty();
    }

    @Test
    void no_page_lets_its_reader_wait_for_the_thing_that_it_is_about() throws IOException {
        assertThat(lateNames(".md", Prose::ofPage)).isEmpty();
    }

    @Test
    void a_sentence_is_found_wherever_it_begins_in_a_comment() {
        Prose prose = Prose.ofComments("""
                /** What handlers write. */
                record Booking(int seats) { // Who books pays.
                    /**
                     * Takes seats. What
                     * is taken is paid.
                     *
                     * <p>Whoever pays travels.
                     *
                     * <ol>
                     *   <li><b>What is paid</b> is kept.
                     * </ol>
                     *
                     * @param count
                     * @return Whatever is left
                     */
                    // One more. Who waits
                    // longest is first.
                }
                """);

        assertThat(prose.linesOfLateNames()).containsExactly(1, 2, 4, 7, 10, 14, 16);
    }

    @Test
    void code_questions_and_clauses_within_a_sentence_are_no_such_sentence() {
        Prose prose = Prose.ofComments("""
                /** A booking, as handlers write it. What would be lost without it? Nobody knows who asks. */
                record Booking(String text) {
                    String url = "http://example // What is this.";
                    char quote = '"'; // Tells a {@link What} from others.
                    String question = \"""
                        // What is "\\\""" this.
                        \""";
                }
                """);

        assertThat(prose.linesOfLateNames()).isEmpty();
    }

    @Test
    void a_sentence_is_found_wherever_it_begins_in_a_page() {
        Prose prose = Prose.ofPage("""
                # What a title says

                What is paid
                is kept. Who
                waits is first. What is lost?

                - Whoever pays travels.
                  1. Whatever is left goes.

                **What is promised.** Nothing is lost: `What` names it.

                | Seats | What is left. |

                ```java
                // What is code.
                ```
                Who reads this is done.
                """);

        assertThat(prose.linesOfLateNames()).containsExactly(3, 4, 7, 8, 10, 12, 17);
    }

    private static List<String> lateNames(String ending, Function<String, Prose> reading) throws IOException {
        var found = new ArrayList<String>();
        for (Path file : files(ending)) {
            for (int line : reading.apply(Files.readString(file)).linesOfLateNames()) {
                found.add(ROOT.relativize(file) + ":" + line);
            }
        }
        return found;
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT)) {
            return paths.filter(path -> path.toString().endsWith(ending))
                    .filter(path -> !ROOT.relativize(path).toString().matches("(.*/)?(target|\\.[^/]+)/.*"))
                    .toList();
        }
    }
}
