package dev.waybill.standalone.log;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Changes log levels at run time from a file with one level for Waybill, or with lines of {@code logger=level}. A thread reads
 * the file every two seconds. Without the file, the configured levels apply.
 */
final class LevelFile {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LevelFile.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int LONGEST = 4_096;
    private static final List<String> LEVELS = List.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE");

    private final Path file;
    private final Consumer<Map<String, Level>> levels;
    private String last = "";

    /** @param levels receives the content after each change; empty without a file */
    LevelFile(Path file, Consumer<Map<String, Level>> levels) {
        this.file = file;
        this.levels = levels;
    }

    /** Polls until the process ends. */
    void watch() {
        var thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            look();
                            Thread.sleep(INTERVAL.toMillis());
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "waybill-log-levels");
        thread.setDaemon(true);
        thread.start();
        LOG.info("Log levels can be changed at run time in {}", file);
    }

    /** Reads the file once; logs changes and unusable lines. */
    void look() {
        String text = text();
        if (text.equals(last)) {
            return;
        }
        last = text;
        try {
            Map<String, Level> read = parsed(text);
            levels.accept(read);
            LOG.info("Log levels changed to {}{}", read.isEmpty() ? "those of the configuration" : read, by(read));
        } catch (IllegalArgumentException e) {
            LOG.warn("Log levels unchanged: {} in {}", e.getMessage(), file);
        }
    }

    private String by(Map<String, Level> read) {
        return read.isEmpty() ? "" : " by " + file;
    }

    private String text() {
        try {
            if (Files.size(file) > LONGEST) {
                return "too long";
            }
            return isOurs() ? Files.readString(file, StandardCharsets.UTF_8).strip() : "not of this user";
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            return "not readable";
        }
    }

    // Other users must not be able to write the directory. A container mounts files of root.
    private boolean isOurs() throws IOException {
        String owner = Files.getOwner(file).getName();
        return owner.equals(System.getProperty("user.name")) || owner.equals("root");
    }

    // The log never quotes the file, which may be a wrong one with secrets.
    private static Map<String, Level> parsed(String text) {
        var levels = new TreeMap<String, Level>();
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isEmpty() && !line.startsWith("#")) {
                int equals = line.indexOf('=');
                String logger =
                        equals < 0 ? Logs.OURS : line.substring(0, equals).strip();
                levels.put(logger, level(line.substring(equals + 1).strip(), i + 1));
            }
        }
        return levels;
    }

    private static Level level(String word, int line) {
        String upper = word.toUpperCase(Locale.ROOT);
        if (!LEVELS.contains(upper)) {
            throw new IllegalArgumentException("line " + line + " has no level of " + LEVELS);
        }
        return Level.toLevel(upper);
    }
}
