package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of the console with a line for each person or token. Read again when it changes; one that cannot be read then
 * leaves everything as it was. Thread-safe.
 */
final class ReloadedFile<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadedFile.class);
    private static final long LARGEST = 1 << 20;

    private final Path file;
    private final Kind<T> kind;
    private State<T> state;
    private String told = "";

    private ReloadedFile(Path file, Kind<T> kind, State<T> state) {
        this.file = file;
        this.kind = kind;
        this.state = state;
    }

    /**
     * The kind of a file: its option and its lines.
     *
     * @param option that names it
     * @param many what its lines are, in the plural
     */
    record Kind<T>(String option, String many, Line<T> line) {}

    /** Reads a line. */
    @FunctionalInterface
    interface Line<T> {
        /** The value and the key that stands once. */
        Map.Entry<String, T> read(String line, String place);
    }

    // A file that was put in the place of another one may have its time and its length.
    private record Version(FileTime changed, long size, String key) {
        static Version of(Path file) throws IOException {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
        }
    }

    private record State<T>(Version version, Map<String, T> values) {}

    /**
     * Reads a file.
     *
     * @throws ConfigException saying what is wrong with it
     */
    static <T> ReloadedFile<T> read(Path file, Kind<T> kind) {
        try {
            Version version = Version.of(file);
            return new ReloadedFile<>(file, kind, new State<>(version, parse(file, kind)));
        } catch (IOException e) {
            throw new ConfigException(kind.option + " " + file + " cannot be read: " + e);
        }
    }

    /** The present content of the file, by the key of each line. */
    synchronized Map<String, T> now() {
        try {
            Version now = Version.of(file);
            if (!now.equals(state.version)) {
                take(now);
            }
        } catch (IOException e) {
            // Tried again each time: a right to read is given without a change of the file.
            tellOnce(e.toString());
        }
        return state.values;
    }

    private void take(Version now) throws IOException {
        try {
            state = new State<>(now, parse(file, kind));
            told = "";
            LOG.info("{} {} has changed, and names {} {}", kind.option, file, state.values.size(), kind.many);
        } catch (ConfigException e) {
            state = new State<>(now, state.values);
            tellOnce(String.valueOf(e.getMessage()));
        }
    }

    // It is asked with each request.
    private void tellOnce(String problem) {
        if (!problem.equals(told)) {
            told = problem;
            LOG.warn("{} {} counts as it was before: {}", kind.option, file, problem);
        }
    }

    private static <T> Map<String, T> parse(Path file, Kind<T> kind) throws IOException {
        if (Files.size(file) > LARGEST) {
            throw new ConfigException(kind.option + " " + file + " is larger than 1 MiB");
        }
        var values = new LinkedHashMap<String, T>();
        List<String> lines = new ArrayList<>(Files.readAllLines(file, StandardCharsets.UTF_8));
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            String place = file + ", line " + (i + 1);
            if (!line.isEmpty() && !line.startsWith("#")) {
                Map.Entry<String, T> value = kind.line.read(line, place);
                if (values.put(value.getKey(), value.getValue()) != null) {
                    throw new ConfigException(place + ": " + value.getKey() + " stands twice");
                }
            }
        }
        return values;
    }
}
