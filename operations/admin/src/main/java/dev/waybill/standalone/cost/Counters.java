package dev.waybill.standalone.cost;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The send rates of a relay process since its start, from its {@code /metrics} page. */
public final class Counters {
    private static final Pattern SENT =
            Pattern.compile("waybill_outbox_publish_messages_total\\{([^}]*)}\\s+([0-9.eE+]+).*");
    private static final Pattern UPTIME = Pattern.compile("process_uptime_seconds(?:\\{[^}]*})?\\s+([0-9.eE+]+).*");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private Counters() {}

    public static Map<String, Rate> read(List<String> metrics) {
        var all = new TreeMap<String, Rate>();
        metrics.forEach(each -> read(each).forEach((name, rate) -> all.merge(name, rate, Rate::plus)));
        return all;
    }

    /**
     * Parses the metrics of one relay.
     *
     * @throws IllegalArgumentException if uptime or sent messages are missing
     */
    static Map<String, Rate> read(String metrics) {
        double uptime = 0;
        var accepted = new TreeMap<String, Double>();
        var others = new HashMap<String, Double>();
        for (String line : metrics.lines().toList()) {
            Matcher sent = SENT.matcher(line);
            Matcher up = UPTIME.matcher(line);
            if (up.matches()) {
                uptime = Double.parseDouble(up.group(1));
            } else if (sent.matches()) {
                Map<String, String> labels = labels(sent.group(1));
                var into = "accepted".equals(labels.get("outcome")) ? accepted : others;
                into.merge(labels.getOrDefault("destination", ""), Double.parseDouble(sent.group(2)), Double::sum);
            }
        }
        if (uptime <= 0 || accepted.isEmpty()) {
            throw new IllegalArgumentException("The metrics are not those of a relay that has sent messages: they lack "
                    + (uptime <= 0 ? "process_uptime_seconds" : "waybill_outbox_publish_messages_total"));
        }
        var rates = new TreeMap<String, Rate>();
        for (Map.Entry<String, Double> each : accepted.entrySet()) {
            double again = each.getValue() == 0 ? 0 : others.getOrDefault(each.getKey(), 0.0) / each.getValue();
            rates.put(each.getKey(), new Rate(each.getValue() / uptime, again));
        }
        return rates;
    }

    private static Map<String, String> labels(String text) {
        var labels = new HashMap<String, String>();
        LABEL.matcher(text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        return labels;
    }

    /** The send rate of a destination: accepted messages a second, and repeated sends for each of them. */
    public record Rate(double perSecond, double sentAgain) {
        private Rate plus(Rate other) {
            double together = perSecond + other.perSecond;
            double again = perSecond * sentAgain + other.perSecond * other.sentAgain;
            return new Rate(together, together == 0 ? 0 : again / together);
        }
    }
}
