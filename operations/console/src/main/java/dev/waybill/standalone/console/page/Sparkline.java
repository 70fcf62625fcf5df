package dev.waybill.standalone.console.page;

import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.database.BacklogSamples.Sample;
import java.util.List;
import java.util.Locale;

/** The backlog of the last hour as an SVG path of 118 by 24 and in words; missing minutes are gaps. */
record Sparkline(String path, String words) {
    private static final int STEP = 2;
    private static final double HEIGHT = 22;
    private static final Sparkline NONE = new Sparkline("", "");

    static Sparkline of(List<Sample> samples) {
        if (samples.size() < 2) {
            return NONE;
        }
        long most = samples.stream().mapToLong(Sample::pending).max().orElse(0);
        var path = new StringBuilder();
        int before = Integer.MAX_VALUE;
        for (Sample sample : samples) {
            double height = most == 0 ? 0 : HEIGHT * sample.pending() / most;
            path.append(before - sample.minutesAgo() == 1 ? "L" : "M")
                    .append((59 - sample.minutesAgo()) * STEP)
                    .append(',')
                    .append(String.format(Locale.ROOT, "%.1f", HEIGHT + 1 - height));
            before = sample.minutesAgo();
        }
        return new Sparkline(path.toString(), words(samples, most));
    }

    private static String words(List<Sample> samples, long most) {
        Sample first = samples.get(0);
        Sample last = samples.get(samples.size() - 1);
        Formats show = Formats.INSTANCE;
        return "Waiting in the last hour: " + show.number(first.pending()) + " " + first.minutesAgo() + " min ago, "
                + show.number(most) + " at most, " + show.number(last.pending()) + " at last";
    }

    public boolean isDrawn() {
        return !path.isEmpty();
    }
}
