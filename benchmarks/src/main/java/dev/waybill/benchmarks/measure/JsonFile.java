package dev.waybill.benchmarks.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A report for programs: the contract's keys on the top level, everything else below it. */
public final class JsonFile {
    private JsonFile() {}

    /** Writes the report with the machine it was measured on. */
    public static void write(Path file, Report report, Machine machine) throws IOException {
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writerWithDefaultPrettyPrinter()
                .writeValue(file.toFile(), content(report, machine));
    }

    private static Map<String, Object> content(Report report, Machine machine) {
        var keys = new LinkedHashMap<String, Object>();
        var spreads = new LinkedHashMap<String, Object>();
        var details = new LinkedHashMap<String, Object>();
        keys.put("benchmark", report.benchmark());
        for (Report.Figure figure : report.figures()) {
            (figure.key() ? keys : details).put(figure.label(), figure.value().median());
            spreads.put(figure.label(), figure.value());
        }
        keys.put("details", details);
        keys.put("spreads", spreads);
        keys.put("machine", machine.facts());
        keys.put("notes", report.notes());
        return keys;
    }
}
