package dev.waybill.standalone.config;

import java.util.List;
import java.util.Locale;

/** The declaration of an option; an asterisk in the pattern stands for a name. */
record Option(Key pattern, Value value, String defaultText, String text) {
    static final String ANY = "*";
    static final String FILE_ENDING = "-file";

    Option(String pattern, Kind kind, String unit, String defaultText, String text) {
        this(Key.of(pattern), new Value(kind, List.of(), unit, false), defaultText, text);
    }

    /** The value of an option; a secret is never printed and may come from a file. */
    record Value(Kind kind, List<String> choices, String unit, boolean secret) {}

    /** An option with fixed choices; the first one is the default. */
    static Option choice(String pattern, List<String> choices, String text) {
        return new Option(Key.of(pattern), new Value(Kind.TEXT, choices, "word", false), choices.get(0), text);
    }

    static Option secret(String pattern, String text) {
        return new Option(Key.of(pattern), new Value(Kind.TEXT, List.of(), "text", true), "", text);
    }

    List<String> choices() {
        return value.choices();
    }

    String unit() {
        return value.unit();
    }

    boolean secret() {
        return value.secret();
    }

    boolean matches(Key key) {
        return pattern.segments().size() == key.segments().size() && beginsLike(key);
    }

    /** Whether the key is a prefix of this option that ends with a name. */
    boolean isUnder(Key key) {
        int length = key.segments().size();
        return length > 0 && isBelow(key) && pattern.segments().get(length - 1).equals(ANY);
    }

    /** Whether the key is a proper prefix of this option. */
    boolean isBelow(Key key) {
        return key.segments().size() < pattern.segments().size() && beginsLike(key);
    }

    private boolean beginsLike(Key key) {
        for (int i = 0; i < key.segments().size(); i++) {
            String ours = pattern.segments().get(i);
            if (!ours.equals(ANY) && !ours.equals(key.segments().get(i))) {
                return false;
            }
        }
        return true;
    }

    boolean accepts(String given) {
        return choices().isEmpty() ? value.kind().reads(given) : choices().contains(given.toLowerCase(Locale.ROOT));
    }

    String form() {
        return choices().isEmpty() ? value.kind().form() : "one of " + String.join(", ", choices());
    }

    String name() {
        return pattern.toString().replace(ANY, "NAME");
    }
}
