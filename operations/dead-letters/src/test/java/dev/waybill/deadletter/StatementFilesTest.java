package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A statement whose file is missing fails when it is first needed, which may be late. */
class StatementFilesTest {
    private static final Path CLASSES = Path.of("src/main/java");
    private static final Path STATEMENTS = Path.of("src/main/resources");
    private static final Pattern ASKED = Pattern.compile("(?:sql|schema\\))\\s*\\.get\\(\"([^\"]+)\"");
    private static final Pattern TEXT = Pattern.compile("\"([a-z-]+)\"");

    @Test
    void each_statement_that_a_class_names_is_a_file_and_each_file_is_named() throws IOException {
        var named = new ArrayList<Path>();
        for (Path source : files(CLASSES, ".java")) {
            assertThat(files(ASKED, source)).allSatisfy(file -> assertThat(file).exists());
            named.addAll(files(TEXT, source));
        }

        assertThat(named).containsAll(files(STATEMENTS, ".sql"));
    }

    private static List<Path> files(Pattern name, Path source) throws IOException {
        Path beside = STATEMENTS.resolve(CLASSES.relativize(source));
        return name.matcher(Files.readString(source))
                .results()
                .map(found -> beside.resolveSibling(found.group(1) + ".sql"))
                .toList();
    }

    private static List<Path> files(Path root, String ending) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(path -> path.toString().endsWith(ending)).toList();
        }
    }
}
