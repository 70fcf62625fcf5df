package dev.waybill.standalone.config;

import java.util.List;
import java.util.Locale;

/**
 * One thing that can be told.
 *
 * @param pattern its name; an asterisk stands for a name that the user gives
 * @param kind how its text is read
 * @param choices what it may be; empty if anything of its kind
 * @param unit of the value, for people
 * @param defaultText what counts if nothing is told; empty for nothing
 * @param secret whether its value is never printed, and may come from a file
 * @param text what it means
 */
record Option(
        Key pattern, Kind kind, List<String> choices, String unit, String defaultText, boolean secret, String text) {
    static final String ANY = "*";
    static final String FILE_ENDING = "-file";

    Option(String pattern, Kind kind, String unit, String defaultText, String text) {
        this(Key.of(pattern), kind, List.of(), unit, defaultText, false, text);
    }

    /** One of a few words; the first is the default. */
    static Option choice(String pattern, List<String> choices, String text) {
        return new Option(Key.of(pattern), Kind.TEXT, choices, "word", choices.get(0), false, text);
    }

    static Option secret(String pattern, String text) {
        return new Option(Key.of(pattern), Kind.TEXT, List.of(), "text", "", true, text);
    }

    boolean matches(Key key) {
        List<String> ours = pattern.segments();
        if (ours.size() != key.segments().size()) {
            return false;
        }
        for (int i = 0; i < ours.size(); i++) {
            if (!ours.get(i).equals(ANY) && !ours.get(i).equals(key.segments().get(i))) {
                return false;
            }
        }
        return true;
    }

    boolean accepts(String value) {
        return choices.isEmpty() ? kind.reads(value) : choices.contains(value.toLowerCase(Locale.ROOT));
    }

    String form() {
        return choices.isEmpty() ? kind.form() : "one of " + String.join(", ", choices);
    }

    String name() {
        return pattern.toString().replace(ANY, "NAME");
    }
}
