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
 * A file with one line for each person or token. It is reloaded after a change; an invalid file keeps the last content.
 * Thread-safe.
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

    /** The kind of a file: the option that names it, and its lines in the plural. */
    record Kind<T>(String option, String many, Line<T> line) {}

    @FunctionalInterface
    interface Line<T> {
        Map.Entry<String, T> read(String line, String place);
    }

    // A replaced file may have the same time and length.
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
     * @throws ConfigException naming the problem
     */
    static <T> ReloadedFile<T> read(Path file, Kind<T> kind) {
        try {
            Version version = Version.of(file);
            return new ReloadedFile<>(file, kind, new State<>(version, parse(file, kind)));
        } catch (IOException e) {
            throw new ConfigException(kind.option + " " + file + " cannot be read: " + e);
        }
    }

    /** The current lines by key. */
    synchronized Map<String, T> now() {
        try {
            Version now = Version.of(file);
            if (!now.equals(state.version)) {
                take(now);
            }
        } catch (IOException e) {
            // Retried at each request: permissions may change without a change of the file.
            tellOnce(e.toString());
        }
        return state.values;
    }

    private void take(Version now) throws IOException {
        try {
            state = new State<>(now, parse(file, kind));
            told = "";
            LOG.info("{} {} reloaded: {} {}", kind.option, file, state.values.size(), kind.many);
        } catch (ConfigException e) {
            state = new State<>(now, state.values);
            tellOnce(String.valueOf(e.getMessage()));
        }
    }

    // Each request reads the file, so a problem is logged once.
    private void tellOnce(String problem) {
        if (!problem.equals(told)) {
            told = problem;
            LOG.warn("{} {} keeps its previous content: {}", kind.option, file, problem);
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
