package dev.waybill.standalone.service;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of docs/operations/log.md: by which lines an incident begins and ends. */
final class Incidents {
    private static final Pattern ROW =
            Pattern.compile("\\| ([^|`]+) \\| `([^`]+)` \\| (?:`([^`]+)`|the same line) \\|");

    private final Map<String, Lines> rows = new LinkedHashMap<>();

    Incidents(Path page) throws IOException {
        String text = Files.readString(page);
        var row = ROW.matcher(text.substring(text.indexOf("## Incidents")));
        while (row.find()) {
            String end = row.group(3) == null ? row.group(2) : row.group(3);
            rows.put(row.group(1), new Lines(pattern(row.group(2)), pattern(end)));
        }
    }

    List<String> names() {
        return List.copyOf(rows.keySet());
    }

    Lines of(String incident) {
        Lines lines = rows.get(incident);
        if (lines == null) {
            throw new AssertionError("The page does not tell of '" + incident + "' but of " + rows.keySet());
        }
        return lines;
    }

    // Three dots stand for what differs.
    private static Pattern pattern(String line) {
        return Pattern.compile(
                Stream.of(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
    }

    record Lines(Pattern first, Pattern end) {}

    /** The log of a process as it grows: one JSON object a line. */
    record Log(Path file) {
        List<JsonNode> lines() {
            try (Stream<String> lines = Files.lines(file)) {
                var read = new ArrayList<JsonNode>();
                var mapper = new ObjectMapper();
                for (String line : lines.filter(text -> text.endsWith("}")).toList()) {
                    read.add(mapper.readTree(line));
                }
                return read;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        int size() {
            return lines().size();
        }

        /** Waits for a line after so many; returns how many lines there are up to it. */
        int awaitLine(Pattern message, int after, Duration patience) {
            return await(message.pattern())
                    .atMost(patience)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> find(message, after), found -> found > 0);
        }

        private int find(Pattern message, int after) {
            List<JsonNode> lines = lines();
            for (int i = after; i < lines.size(); i++) {
                if (message.matcher(lines.get(i).path("message").asText()).matches()) {
                    return i + 1;
                }
            }
            return 0;
        }
    }
}
