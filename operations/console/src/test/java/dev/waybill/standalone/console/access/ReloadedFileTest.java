package dev.waybill.standalone.console.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody who is taken out of a file is out, however the file came there. */
class ReloadedFileTest {
    private static final ReloadedFile.Kind<String> KIND =
            new ReloadedFile.Kind<>("console.users-file", "people", (line, place) -> Map.entry(line, line));

    @TempDir
    Path directory;

    @Test
    void a_file_that_becomes_readable_after_it_was_changed_counts() throws IOException {
        Path file = Files.writeString(directory.resolve("users"), "ada\nmallory\n");
        ReloadedFile<String> people = ReloadedFile.read(file, KIND);

        Files.writeString(file, "ada\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        Assumptions.assumeFalse(Files.isReadable(file), "Root reads every file");
        assertThat(people.now()).as("not to be read").hasSize(2);

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(people.now()).containsOnlyKeys("ada");
    }

    @Test
    void a_file_with_the_same_time_and_length_in_another_ones_place_counts() throws IOException {
        Path file = Files.writeString(directory.resolve("users"), "ada\nmallory\n");
        FileTime made = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
        Files.setLastModifiedTime(file, made);
        ReloadedFile<String> people = ReloadedFile.read(file, KIND);

        Path next = Files.writeString(directory.resolve("next"), "ada\nrebecca\n");
        Files.setLastModifiedTime(next, made);
        Files.move(next, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(people.now()).containsOnlyKeys("ada", "rebecca");
    }
}
