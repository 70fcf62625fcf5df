package dev.waybill.standalone.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One line of what Prometheus fetches. */
record Sample(String name, Map<String, String> labels, double value) {
    private static final Pattern LINE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    static List<Sample> of(String text) {
        return text.lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(Sample::ofLine)
                .toList();
    }

    private static Sample ofLine(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new AssertionError("Not a line of the format: " + line);
        }
        var labels = new TreeMap<String, String>();
        if (parts.group(2) != null) {
            Matcher label = LABEL.matcher(parts.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        return new Sample(
                parts.group(1), labels, Double.parseDouble(parts.group(3).replace("Inf", "Infinity")));
    }
}
