package dev.waybill.benchmarks.measure;

import java.util.Locale;

/** A report as text. */
public final class Table {
    private static final String LINE = "%-44s %12s   %-25s %s%n";

    private Table() {}

    /** The report with the machine it was measured on. */
    public static String of(Report report, Machine machine) {
        var text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%n%s%n", report.benchmark()));
        machine.facts().forEach((name, fact) -> text.append(String.format(Locale.ROOT, "  %s: %s%n", name, fact)));
        report.notes().forEach(note -> text.append(String.format(Locale.ROOT, "  %s%n", note)));
        text.append(String.format(Locale.ROOT, LINE, "", "median", "min - max (rounds)", "target"));
        report.figures().forEach(figure -> text.append(line(figure)));
        return text.toString();
    }

    private static String line(Report.Figure figure) {
        Spread value = figure.value();
        String range = value.rounds() == 1
                ? ""
                : Target.number(value.min()) + " - " + Target.number(value.max()) + " (" + value.rounds() + ")";
        String label = figure.key() ? figure.label() : "  " + figure.label();
        return String.format(
                Locale.ROOT,
                LINE,
                label,
                Target.number(value.median()),
                range,
                figure.target().verdict(value.median()));
    }
}
