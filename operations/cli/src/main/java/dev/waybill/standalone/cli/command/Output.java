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

/** Where a verb prints. A table is an array of objects for programs; a field that is empty is null there. */
public final class Output {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            // A terminal or a pipe may have another character set, and an id must come through it.
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

    /** A sentence for people; programs do not want it. */
    public void say(String text) {
        if (!json) {
            out.println(text);
            out.flush();
        }
    }

    /** A sentence about what is printed: behind it for people, beside it for programs, whose JSON has no place for it. */
    public void note(String text) {
        PrintWriter place = json ? err : out;
        place.println(text);
        place.flush();
    }

    /** A sentence that belongs to no answer. */
    public void warn(String text) {
        err.println(text);
        err.flush();
    }

    /** Prints a sequence that a terminal obeys, or a whole file; programs do not want it. */
    public void raw(String sequence) {
        if (!json) {
            out.print(sequence);
            out.flush();
        }
    }

    /** Whether nobody reads any more, as behind a pipe that was closed. */
    public boolean isClosed() {
        // The writer may stand on the stream, which keeps its errors to itself.
        return out.checkError() || System.out.checkError();
    }

    /** One thing with fields. */
    public void object(Map<String, ?> fields) {
        if (json) {
            print(plain(fields));
        } else {
            fields.forEach((name, value) -> out.println(text(name) + ": " + text(value)));
        }
        out.flush();
    }

    /** Rows of the same fields; people get a sentence if there are none. */
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

    /** Any value, for programs only. */
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
        return value == null ? "" : printable(value.toString().replace('\n', ' '));
    }

    /** Texts of messages come from anybody: none of them moves the cursor, wipes the screen or writes over its line. */
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
                    rows.stream().mapToInt(row -> text(row.get(name)).length()).reduce(name.length(), Math::max);
        }
        var lines = new ArrayList<String>();
        lines.add(line(names, widths).toUpperCase(java.util.Locale.ROOT));
        for (Map<String, ?> row : rows) {
            lines.add(line(names.stream().map(name -> text(row.get(name))).toList(), widths));
        }
        return lines;
    }

    private static String line(List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
        }
        return line.toString().stripTrailing();
    }
}
