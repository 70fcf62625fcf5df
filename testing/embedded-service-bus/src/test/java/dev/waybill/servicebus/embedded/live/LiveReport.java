package dev.waybill.servicebus.embedded.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The results of a live run, case by case, as a table. Kept across the test plans of one process. */
final class LiveReport {
    private static final Map<Path, LiveReport> BY_FILE = new ConcurrentHashMap<>();
    private static final ConcurrentLinkedQueue<String> LEFT = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger REMOVED = new AtomicInteger();
    private static final int LONGEST_REASON = 300;

    private final Path file;
    private final Map<String, Found> cases = new TreeMap<>();

    private LiveReport(Path file) {
        this.file = file;
    }

    /** The outcome of a case. */
    enum Outcome {
        SAME("same"),
        DIFFERENT("different"),
        NOT_APPLICABLE("not applicable"),
        NOT_RUN("not run");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private record Found(Outcome outcome, String reason) {}

    static LiveReport at(Path file) {
        return BY_FILE.computeIfAbsent(file.toAbsolutePath(), LiveReport::new);
    }

    /** Tells of an entity that could not be removed. */
    static void left(String entity, Exception why) {
        LEFT.add(entity + ": " + shortened(String.valueOf(why.getMessage())));
    }

    /** Tells of an entity that was made and removed. */
    static void removed() {
        REMOVED.incrementAndGet();
    }

    synchronized void found(String testCase, Outcome outcome, String reason) {
        cases.put(testCase, new Found(outcome, reason));
    }

    synchronized long count(Outcome outcome) {
        return cases.values().stream().filter(found -> found.outcome == outcome).count();
    }

    /** Writes the table and prints the counts and whatever differs. */
    synchronized void write(String namespace) {
        List<String> lines = new ArrayList<>();
        lines.add("# The cases against " + namespace);
        lines.add("");
        lines.add(summary());
        lines.add("");
        lines.add("| case | result | reason |");
        lines.add("|---|---|---|");
        cases.forEach((name, found) -> lines.add("| `" + name + "` | " + found.outcome + " | " + cell(found) + " |"));
        if (!LEFT.isEmpty()) {
            lines.add("");
            lines.add("Entities that could not be removed, and remove themselves after an hour without use:");
            lines.add("");
            LEFT.forEach(entity -> lines.add("- " + entity));
        }
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("The report cannot be written", e);
        }
        print(namespace);
    }

    private void print(String namespace) {
        System.out.println("Live report against " + namespace + ": " + summary() + " See " + file);
        cases.forEach((name, found) -> {
            if (found.outcome == Outcome.DIFFERENT || found.outcome == Outcome.NOT_RUN) {
                System.out.println("  " + found.outcome + ": " + name + ": " + cell(found));
            }
        });
        LEFT.forEach(entity -> System.out.println("  not removed: " + entity));
    }

    private String summary() {
        List<String> parts = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            parts.add(count(outcome) + " " + outcome);
        }
        return cases.size() + " cases: " + String.join(", ", parts) + ". " + REMOVED
                + " queues and topics were made and removed.";
    }

    private static String cell(Found found) {
        return shortened(found.reason).replace("|", "\\|");
    }

    private static String shortened(String text) {
        String line = text.replaceAll("\\s+", " ").strip();
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + " …";
    }
}
