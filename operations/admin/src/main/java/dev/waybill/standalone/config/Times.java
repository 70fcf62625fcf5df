package dev.waybill.standalone.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Parses and prints durations. */
public final class Times {
    private Times() {}

    /**
     * Parses {@code 500ms}, {@code 15s}, {@code 10m}, {@code 2h}, {@code 7d}, or ISO 8601.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static Duration parse(String text) {
        @Nullable Duration duration = Kind.parseDuration(text);
        if (duration == null) {
            throw new IllegalArgumentException("'" + text + "' is not " + Kind.DURATION.form());
        }
        return duration;
    }

    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes % 60 != 0) {
            return minutes + "m";
        }
        return minutes % (24 * 60) == 0 ? minutes / (24 * 60) + "d" : minutes / 60 + "h";
    }

    /** The two largest units, such as {@code 2h 5m}. */
    public static String roughly(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return joined(seconds / 60 + "m", seconds % 60, "s");
        }
        long hours = seconds / 3_600;
        return hours < 24 ? joined(hours + "h", seconds / 60 % 60, "m") : joined(hours / 24 + "d", hours % 24, "h");
    }

    private static String joined(String first, long rest, String unit) {
        return rest == 0 ? first : first + " " + rest + unit;
    }
}
