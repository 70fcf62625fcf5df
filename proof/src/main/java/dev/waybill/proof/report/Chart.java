package dev.waybill.proof.report;

import dev.waybill.proof.timeline.Timeline;
import java.util.List;
import java.util.TreeSet;

/** Written and handled messages over time, and below them a row for each nemesis, as SVG. */
final class Chart {
    private static final int WIDTH = 1_000;
    private static final int LEFT = 170;
    private static final int CURVES = 220;
    private static final int ROW = 14;

    private Chart() {}

    static String of(Timeline timeline) {
        List<Timeline.Sample> samples = timeline.samples();
        var names = List.copyOf(new TreeSet<>(
                timeline.strikes().stream().map(Timeline.Strike::nemesis).toList()));
        double end = Math.max(1, timeline.now());
        long most = samples.stream().mapToLong(Timeline.Sample::written).max().orElse(1);
        var svg = new StringBuilder("<svg viewBox=\"0 0 %d %d\" font-size=\"10\" font-family=\"sans-serif\">"
                .formatted(WIDTH, CURVES + 30 + ROW * names.size()));
        svg.append(curve(samples, end, most, true)).append(curve(samples, end, most, false));
        svg.append(
                "<text x=\"%d\" y=\"12\" fill=\"#5b6b7d\">written (grey) and handled by the ledger (blue), %,d at the end</text>"
                        .formatted(LEFT, most));
        for (int i = 0; i < names.size(); i++) {
            svg.append(
                    "<text x=\"4\" y=\"%d\">%s</text>".formatted(CURVES + 30 + ROW * i, Report.escape(names.get(i))));
        }
        for (Timeline.Strike strike : timeline.strikes()) {
            double from = x(strike.begin(), end);
            double to = x(Math.min(strike.end(), timeline.now()), end);
            svg.append("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#c4281c\" opacity=\".55\"/>"
                    .formatted(
                            from,
                            CURVES + 22 + ROW * names.indexOf(strike.nemesis()),
                            Math.max(1, to - from),
                            ROW - 4));
        }
        return svg.append("</svg>").toString();
    }

    private static String curve(List<Timeline.Sample> samples, double end, long most, boolean written) {
        var points = new StringBuilder();
        for (Timeline.Sample sample : samples) {
            long value = written ? sample.written() : sample.ledger();
            points.append(
                    "%.1f,%.1f ".formatted(x(sample.at(), end), CURVES - (CURVES - 20.0) * value / Math.max(1, most)));
        }
        return "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>"
                .formatted(written ? "#8795a5" : "#1f6feb", points);
    }

    private static double x(long at, double end) {
        return LEFT + (WIDTH - LEFT - 10.0) * at / end;
    }
}
