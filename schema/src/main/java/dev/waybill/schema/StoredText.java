package dev.waybill.schema;

import java.util.List;
import java.util.stream.Stream;

/** Replaces what PostgreSQL cannot store: NUL and unpaired surrogates. */
public final class StoredText {
    private static final char REPLACEMENT = '\uFFFD';

    private StoredText() {}

    public static String of(String text) {
        return replaced(text, REPLACEMENT);
    }

    /**
     * All forms in which tables may hold a text. Where no code has replaced an unpaired surrogate, the driver has stored a
     * question mark.
     */
    public static List<String> forms(String text) {
        return Stream.of(of(text), replaced(text, '?')).distinct().toList();
    }

    private static String replaced(String text, char half) {
        var clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == 0) {
                clean.append(REPLACEMENT);
            } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                clean.append(half);
            } else {
                clean.appendCodePoint(c);
            }
        });
        return clean.toString();
    }
}
