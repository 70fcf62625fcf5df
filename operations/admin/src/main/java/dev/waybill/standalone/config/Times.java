package dev.waybill.standalone.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
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

    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}.*");

    private static final DateTimeFormatter MOMENT = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendPattern("['T'][' ']HH:mm")
            .optionalStart()
            .appendPattern(":ss")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
            .optionalEnd()
            .optionalEnd()
            .optionalStart()
            .appendPattern("[ ][XXX][XX][X]")
            .optionalEnd()
            .optionalEnd()
            .toFormatter(Locale.ROOT);

    /**
     * A date, or a date and time with or without an offset; without one it is UTC, as printed times are. Empty if the text does
     * not begin with a date.
     *
     * @throws IllegalArgumentException if it begins with a date and goes on with something else
     */
    public static Optional<Instant> moment(String text) {
        String stripped = text.strip();
        if (!DATE.matcher(stripped).matches()) {
            return Optional.empty();
        }
        try {
            TemporalAccessor parsed = MOMENT.withResolverStyle(ResolverStyle.STRICT)
                    .parseBest(
                            stripped.length() == "yyyy-mm-dd".length() ? stripped + "T00:00Z" : stripped,
                            OffsetDateTime::from,
                            LocalDateTime::from);
            return Optional.of(
                    parsed instanceof OffsetDateTime offset
                            ? offset.toInstant()
                            : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text
                    + "' is not a time such as 2026-03-01, 2026-03-01 06:00 (UTC) or 2026-03-01T07:00+01:00");
        }
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
