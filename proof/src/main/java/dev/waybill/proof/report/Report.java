package dev.waybill.proof.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.proof.check.Finding;
import dev.waybill.proof.run.Verdict;
import dev.waybill.proof.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Writes a verdict as one HTML file without external requests, and as JSON. */
public final class Report {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733 }
            table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #d8dee6; vertical-align: top }
            .holds { color: #18794e } .broken { color: #c4281c; font-weight: 600 } code { font-size: 13px } svg { width: 100%; height: auto; background: #f7f9fb }
            """;

    private Report() {}

    /** Writes {@code report.html} and {@code report.json}. */
    public static void write(Verdict verdict, Path folder) throws IOException {
        Files.writeString(folder.resolve("report.html"), html(verdict));
        new ObjectMapper()
                .writerWithDefaultPrettyPrinter()
                .writeValue(folder.resolve("report.json").toFile(), json(verdict));
    }

    private static Map<String, Object> json(Verdict verdict) {
        var json = new LinkedHashMap<String, Object>();
        json.put("holds", verdict.holds());
        json.put("messages", verdict.settings().messages());
        json.put("seed", verdict.settings().seed());
        json.put("nemeses", verdict.settings().nemeses());
        json.put("seconds", verdict.timeline().now() / 1000);
        json.put("findings", verdict.findings());
        json.put(
                "strikes",
                verdict.timeline().strikes().stream().map(Report::json).toList());
        return json;
    }

    private static Map<String, Object> json(Timeline.Strike strike) {
        return Map.of(
                "nemesis", strike.nemesis(), "begin", strike.begin(), "end", strike.end(), "detail", strike.detail());
    }

    private static String html(Verdict verdict) {
        var html = new StringBuilder(
                        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Waybill: proof</title><style>")
                .append(STYLE)
                .append("</style><h1>")
                .append(verdict.holds() ? "The proof holds" : "The proof does not hold")
                .append("</h1><p>%,d messages asked for, seed %d, %d relays, %d consumers, %d s.</p>"
                        .formatted(
                                verdict.settings().messages(),
                                verdict.settings().seed(),
                                verdict.settings().size().relays(),
                                verdict.settings().size().consumers(),
                                verdict.timeline().now() / 1000));
        html.append("<h2>Promises</h2><table>");
        verdict.findings().forEach(finding -> html.append(row(finding)));
        html.append("</table><h2>What happened</h2>").append(Chart.of(verdict.timeline()));
        html.append("<h2>Nemeses</h2><table><tr><th>nemesis<th>strikes<th>seconds");
        strikes(verdict)
                .forEach((name, sum) -> html.append("<tr><td>")
                        .append(escape(name))
                        .append("<td>%d<td>%.1f".formatted(sum[0], sum[1] / 1000.0)));
        return html.append("</table><h2>Each strike</h2><table>")
                .append(details(verdict))
                .append("</table></html>")
                .toString();
    }

    private static Map<String, long[]> strikes(Verdict verdict) {
        var sums = new TreeMap<String, long[]>();
        for (var strike : verdict.timeline().strikes()) {
            long[] sum = sums.computeIfAbsent(strike.nemesis(), name -> new long[2]);
            sum[0]++;
            sum[1] += Math.min(strike.end(), verdict.timeline().now()) - strike.begin();
        }
        return sums;
    }

    private static String details(Verdict verdict) {
        var rows = new StringBuilder();
        verdict.timeline()
                .strikes()
                .forEach(strike -> rows.append("<tr><td>%.1f s<td>".formatted(strike.begin() / 1000.0))
                        .append(escape(strike.nemesis()))
                        .append("<td>")
                        .append(escape(strike.detail())));
        return rows.toString();
    }

    private static String row(Finding finding) {
        var row = new StringBuilder("<tr><td class=\"")
                .append(finding.holds() ? "holds\">holds" : "broken\">" + finding.count() + " times broken")
                .append("<td>")
                .append(escape(finding.check()));
        finding.examples()
                .forEach(example ->
                        row.append("<br><code>").append(escape(example)).append("</code>"));
        return row.toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
