package dev.waybill.standalone.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/**
 * A rule of {@code deploy/prometheus/waybill.rules.yml}, judged as Prometheus judges its expression at one moment. Rules keep to the
 * few forms that are understood here, so that a test needs no Prometheus; what it cannot read, it refuses.
 */
record AlertRule(String name, String expression, String runbook) {
    static final Path FOLDER = Path.of("../../deploy/prometheus");
    static final Path FILE = FOLDER.resolve("waybill.rules.yml");

    private static final String SELECTOR = "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{([^}]*)})?";
    private static final Pattern ABSENT = Pattern.compile("absent\\(" + SELECTOR + "\\)");
    private static final Pattern PLAIN = Pattern.compile(SELECTOR + " (==|>) ([0-9.]+)");
    private static final Pattern MAX =
            Pattern.compile("max by \\(([a-z_, ]+)\\) \\(" + SELECTOR + "\\) (==|>) ([0-9.]+)");
    private static final Pattern GONE = Pattern.compile("count by \\(([a-z_, ]+)\\) \\(present_over_time\\(" + SELECTOR
            + "\\[6h]\\)\\) unless count by \\(\\1\\) \\(\\2\\)");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    static List<AlertRule> all() {
        try {
            JsonNode file = new ObjectMapper().valueToTree(new Yaml().load(Files.readString(FILE)));
            var rules = new ArrayList<AlertRule>();
            for (JsonNode group : file.path("groups")) {
                for (JsonNode rule : group.path("rules")) {
                    rules.add(new AlertRule(
                            rule.path("alert").asText(),
                            rule.path("expr").asText(),
                            rule.path("annotations").path("runbook").asText()));
                }
            }
            return rules;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static AlertRule named(String name) {
        return all().stream().filter(rule -> rule.name.equals(name)).findFirst().orElseThrow();
    }

    /** The metric that it looks at. */
    String metric() {
        Matcher names = Pattern.compile("waybill_[a-z_]+").matcher(expression);
        if (!names.find()) {
            throw new AssertionError("No metric of Waybill in " + expression);
        }
        return names.group();
    }

    /** The labels of each series for which it fires. */
    List<Map<String, String>> firing(List<Sample> samples) {
        return firing(List.of(), samples);
    }

    /** The same after an earlier scrape, which a rule about what is gone looks back at. */
    List<Map<String, String>> firing(List<Sample> before, List<Sample> samples) {
        Matcher gone = GONE.matcher(expression);
        if (gone.matches()) {
            List<Map<String, String>> now = labels(select(samples, gone.group(2), gone.group(3)), gone.group(1));
            return labels(select(before, gone.group(2), gone.group(3)), gone.group(1)).stream()
                    .filter(labels -> !now.contains(labels))
                    .toList();
        }
        Matcher absent = ABSENT.matcher(expression);
        if (absent.matches()) {
            return select(samples, absent.group(1), absent.group(2)).isEmpty() ? List.of(Map.of()) : List.of();
        }
        Matcher max = MAX.matcher(expression);
        if (max.matches()) {
            return highest(select(samples, max.group(2), max.group(3)), max.group(1)).stream()
                    .filter(sample -> holds(sample, max.group(4), max.group(5)))
                    .map(Sample::labels)
                    .toList();
        }
        Matcher plain = PLAIN.matcher(expression);
        if (plain.matches()) {
            return select(samples, plain.group(1), plain.group(2)).stream()
                    .filter(sample -> holds(sample, plain.group(3), plain.group(4)))
                    .map(Sample::labels)
                    .toList();
        }
        throw new AssertionError("A form of expression that the tests do not know: " + expression);
    }

    private static List<Map<String, String>> labels(List<Sample> samples, String kept) {
        return highest(samples, kept).stream().map(Sample::labels).toList();
    }

    private static List<Sample> select(List<Sample> samples, String name, String matchers) {
        var wanted = new TreeMap<String, String>();
        Matcher each = MATCHER.matcher(matchers == null ? "" : matchers);
        while (each.find()) {
            wanted.put(each.group(1), each.group(2));
        }
        return samples.stream()
                .filter(sample ->
                        sample.name().equals(name) && sample.labels().entrySet().containsAll(wanted.entrySet()))
                .toList();
    }

    private static List<Sample> highest(List<Sample> samples, String labels) {
        List<String> kept = List.of(labels.split(", ", -1));
        var most = new HashMap<Map<String, String>, Double>();
        for (Sample sample : samples) {
            var by = new TreeMap<>(sample.labels());
            by.keySet().retainAll(kept);
            most.merge(by, sample.value(), Math::max);
        }
        return most.entrySet().stream()
                .map(each -> new Sample("", each.getKey(), each.getValue()))
                .toList();
    }

    private static boolean holds(Sample sample, String comparison, String bound) {
        double limit = Double.parseDouble(bound);
        return comparison.equals("==") ? sample.value() == limit : sample.value() > limit;
    }
}
