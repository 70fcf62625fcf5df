package dev.waybill.deadletter.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads lines up to a length; the rest of a longer line is never in memory. Not thread-safe. */
public final class BoundedLines {
    /** An import is one transaction, and waits for lines that may come from far away. */
    public static final Duration SLOWEST = Duration.ofMinutes(10);

    private static final int BYTE_ORDER_MARK = '\uFEFF';

    private final BufferedReader from;
    private final int longest;
    private int number;
    private int filled;

    public BoundedLines(BufferedReader from, int longest) {
        this.from = from;
        this.longest = longest;
    }

    /**
     * The next line that is not blank; null at the end.
     *
     * @throws IllegalArgumentException if there is none at all: what was to fill the file may have failed
     */
    public @Nullable String nextFilled() {
        @Nullable String line = next();
        while (line != null && line.isBlank()) {
            line = next();
        }
        if (line == null && filled == 0) {
            throw new IllegalArgumentException(
                    "There is no line to import. An export of nothing is such a file, and one that failed");
        }
        filled++;
        return line;
    }

    public int number() {
        return number;
    }

    public @Nullable String next() {
        number++;
        var line = new StringBuilder();
        try {
            int next = from.read();
            if (next < 0) {
                return null;
            }
            if (number == 1 && next == BYTE_ORDER_MARK) {
                next = from.read();
            }
            for (; next >= 0 && next != '\n'; next = from.read()) {
                if (line.length() == longest) {
                    throw new IllegalArgumentException("longer than " + longest + " characters");
                }
                line.append((char) next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Line " + number + " could not be read: " + e.getMessage(), e);
        }
        return line.toString();
    }
}
