package dev.waybill.deadletter.store;

import org.jspecify.annotations.Nullable;

/** Finds the first name such as {@code com.acme.BadThingException} in a text. A regular expression would backtrack. */
final class ExceptionType {
    private static final int ENOUGH = 2_000;
    private static final String[] ENDINGS = {"Exception", "Error"};

    private final String text;
    private int at;
    /** The start of the dotted name that is being read; -1 if none is. */
    private int begin = -1;
    /** Its end, up to the last part that names an exception; -1 if there is none. */
    private int end = -1;

    private ExceptionType(String text) {
        this.text = text;
    }

    static @Nullable String of(String reason, String description) {
        @Nullable String named = find(reason);
        return named != null ? named : find(description);
    }

    private static @Nullable String find(String text) {
        return new ExceptionType(text.length() > ENOUGH ? text.substring(0, ENOUGH) : text).find();
    }

    private @Nullable String find() {
        while (at < text.length()) {
            if (!isPart(text.charAt(at))) {
                at++;
                continue;
            }
            readWord();
            boolean goesOn =
                    begin >= 0 && at + 1 < text.length() && text.charAt(at) == '.' && isStart(text.charAt(at + 1));
            if (goesOn) {
                at++;
            } else if (end >= 0) {
                return text.substring(begin, end);
            } else {
                begin = -1;
            }
        }
        return null;
    }

    private void readWord() {
        int first = at;
        while (at < text.length() && isPart(text.charAt(at))) {
            at++;
        }
        // No name begins with digits.
        while (first < at && !isStart(text.charAt(first))) {
            first++;
            begin = -1;
        }
        if (first < at) {
            begin = begin < 0 ? first : begin;
            end = Math.max(end, endOfException(first));
        }
    }

    // The last end of "Exception" or "Error", before the end of the word or a dollar sign.
    private int endOfException(int first) {
        for (int last = at; last > first; last--) {
            if (last == at || text.charAt(last) == '$') {
                for (String ending : ENDINGS) {
                    if (last - ending.length() > first && text.startsWith(ending, last - ending.length())) {
                        return last;
                    }
                }
            }
        }
        return -1;
    }

    private static boolean isStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    }

    private static boolean isPart(char c) {
        return isStart(c) || (c >= '0' && c <= '9');
    }
}
