package dev.waybill.schema;

import java.util.List;
import java.util.stream.Stream;

/** Foreign texts as the tables hold them: PostgreSQL takes neither NUL nor half of a surrogate pair. */
public final class StoredText {
    private static final char REPLACEMENT = '\uFFFD';

    private StoredText() {}

    /** The text with U+FFFD in the place of NUL and of halves of surrogate pairs. */
    public static String of(String text) {
        return replaced(text, REPLACEMENT);
    }

    /**
     * All that the tables may hold of a text: almost always one. Where nobody has replaced half of a pair, the driver
     * has written a question mark for it.
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
