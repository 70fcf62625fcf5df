package dev.waybill.standalone.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.waybill.standalone.message.BodyText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints tables for people or JSON arrays for programs. Empty fields are null in JSON. */
public final class Output {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            // Non-ASCII characters of ids must survive any character set of a terminal or pipe.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;

    public Output(PrintWriter out, PrintWriter err, boolean json) {
        this.out = out;
        this.err = err;
        this.json = json;
    }

    public boolean isJson() {
        return json;
    }

    /** Prints a sentence for people only. */
    public void say(String text) {
        if (!json) {
            out.println(text);
            out.flush();
        }
    }

    /** Prints a remark: after a table, and to standard error beside JSON. */
    public void note(String text) {
        PrintWriter place = json ? err : out;
        place.println(text);
        place.flush();
    }

    public void warn(String text) {
        err.println(text);
        err.flush();
    }

    /** Prints control sequences or a whole file, for people only. */
    public void raw(String sequence) {
        if (!json) {
            out.print(sequence);
            out.flush();
        }
    }

    /** Whether the reader closed the pipe. */
    public boolean isClosed() {
        return isBroken(out);
    }

    static boolean isBroken(PrintWriter out) {
        // The writer may wrap System.out, which hides its own errors.
        return out.checkError() || System.out.checkError();
    }

    /** This output, with its answers on standard error: a document goes to standard output. */
    public Output besideDocument() {
        return new Output(err, err, json);
    }

    /** Prints one object. */
    public void object(Map<String, ?> fields) {
        if (json) {
            print(plain(fields));
        } else {
            fields.forEach((name, value) -> out.println(text(name) + ": " + text(value)));
        }
        out.flush();
    }

    /** Prints rows with equal fields; without rows, people get the sentence. */
    public void table(List<? extends Map<String, ?>> rows, String none) {
        if (json) {
            print(rows.stream().map(Output::plain).toList());
        } else if (rows.isEmpty()) {
            out.println(none);
        } else {
            lines(rows).forEach(out::println);
        }
        out.flush();
    }

    public void print(@Nullable Object value) {
        try {
            out.println(JSON.writeValueAsString(value));
            out.flush();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Map<String, Object> row(Object... namesAndValues) {
        var row = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return row;
    }

    public static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(Output::plain).orElse(null);
        }
        if (value instanceof Map<?, ?> map) {
            var plain = new LinkedHashMap<String, @Nullable Object>();
            map.forEach((name, inner) -> plain.put((String) name, plain(inner)));
            return plain;
        }
        if (value instanceof List<?> list) {
            var plain = new ArrayList<@Nullable Object>();
            list.forEach(inner -> plain.add(plain(inner)));
            return plain;
        }
        boolean asIs = value == null || value instanceof Number || value instanceof Boolean;
        return asIs ? value : String.valueOf(value);
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return text(optional.orElse(null));
        }
        if (value instanceof Boolean yes) {
            return yes ? "yes" : "no";
        }
        return value == null ? "" : printable(value.toString().replaceAll("[\\n\\t]+", " "));
    }

    /** Replaces control characters of messages, which could move the cursor or clear the screen. */
    public static String printable(String text) {
        return text.codePoints().noneMatch(Output::isObeyed)
                ? text
                : text.codePoints()
                        .map(c -> isObeyed(c) ? '\uFFFD' : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    private static boolean isObeyed(int character) {
        return character != '\n' && BodyText.isDangerous(character);
    }

    private static List<String> lines(List<? extends Map<String, ?>> rows) {
        List<String> names = List.copyOf(rows.get(0).keySet());
        var widths = new int[names.size()];
        for (int i = 0; i < widths.length; i++) {
            String name = names.get(i);
            widths[i] =
                    rows.stream().mapToInt(row -> cell(row.get(name)).length()).reduce(name.length(), Math::max);
        }
        var lines = new ArrayList<String>();
        lines.add(line(names, widths).toUpperCase(java.util.Locale.ROOT));
        for (Map<String, ?> row : rows) {
            lines.add(line(names.stream().map(name -> cell(row.get(name))).toList(), widths));
        }
        return lines;
    }

    // The first line of a stack trace has its reason. JSON has all of it, and so has the show of one message.
    private static String cell(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return cell(optional.orElse(null));
        }
        if (value instanceof String lines && lines.strip().contains("\n")) {
            return text(lines.strip().lines().findFirst().orElse("")) + " ...";
        }
        return text(value);
    }

    private static String line(List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
        }
        return line.toString().stripTrailing();
    }
}
