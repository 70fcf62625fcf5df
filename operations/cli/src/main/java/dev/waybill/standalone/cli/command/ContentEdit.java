package dev.waybill.standalone.cli.command;

import dev.waybill.message.MessageContent;
import dev.waybill.standalone.message.PropertyText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What an edit changes in a message. */
public final class ContentEdit {
    @Option(names = "--body-file", paramLabel = "FILE", description = "The new body; - is standard input.")
    private @Nullable Path file;

    @Option(
            names = "--property",
            paramLabel = "NAME=TEXT",
            description = "An application property to set: it keeps its type, a new one is a text.")
    private Map<String, String> properties = new LinkedHashMap<>();

    /** Rejects an edit that changes nothing. */
    public void check() {
        if (file == null && properties.isEmpty()) {
            throw new IllegalArgumentException("Give --body-file or --property: there is nothing to change");
        }
    }

    /** The edit, with the body read from its file. */
    public UnaryOperator<MessageContent> read() throws IOException {
        byte @Nullable [] body = file == null ? null : Documents.bytes(file);
        if (body != null && body.length == 0) {
            throw new IllegalArgumentException(file + " is empty: what was to write the new body may have failed");
        }
        return old -> {
            MessageContent changed =
                    properties.isEmpty() ? old : old.withProperties(PropertyText.with(old.properties(), properties));
            return body == null ? changed : changed.withBody(body);
        };
    }

    /** The differences of two contents as rows, with the sizes of bodies. */
    public static List<Map<String, Object>> differences(MessageContent before, MessageContent after) {
        Map<String, Object> old = before.properties();
        Map<String, Object> now = after.properties();
        var names = new LinkedHashSet<>(old.keySet());
        names.addAll(now.keySet());
        var rows = new ArrayList<Map<String, Object>>();
        for (String name : names) {
            if (!Objects.deepEquals(old.get(name), now.get(name))) {
                rows.add(row("property:" + name, text(old.get(name)), text(now.get(name))));
            }
        }
        if (!java.util.Arrays.equals(before.body(), after.body())) {
            rows.add(row("body", size(before.body().length), size(after.body().length)));
        }
        return rows;
    }

    /** A row of a difference. */
    public static Map<String, Object> row(String field, String before, String after) {
        return Output.row("field", field, "before", before, "after", after);
    }

    public static String size(long bytes) {
        return bytes + " bytes";
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
