package dev.waybill.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/** Collects what a benchmark found, in the order found. Not thread-safe. */
public final class Report {
    private final String benchmark;
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** An empty report of a benchmark. */
    public Report(String benchmark) {
        this.benchmark = benchmark;
    }

    /** A figure that others compare with: its key is part of the JSON's contract. */
    public void figure(String key, Spread value, Target target) {
        figures.add(new Figure(key, true, value, target));
    }

    /** A figure that explains the others. */
    public void detail(String label, Spread value) {
        figures.add(new Figure(label, false, value, Target.NONE));
    }

    /** A note for readers of the figures. */
    public void note(String note) {
        notes.add(note);
    }

    /** Name of the benchmark. */
    public String benchmark() {
        return benchmark;
    }

    /** Everything measured. */
    public List<Figure> figures() {
        return List.copyOf(figures);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * One line of the table.
     *
     * @param key whether the label is a key of the contract
     */
    public record Figure(String label, boolean key, Spread value, Target target) {}
}
