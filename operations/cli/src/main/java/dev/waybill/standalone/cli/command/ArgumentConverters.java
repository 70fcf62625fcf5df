package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.config.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts numbers and times of the command line. Values out of range end with exit code 2. */
public final class ArgumentConverters {
    /** The most rows that a list keeps in memory. */
    public static final int MOST_ROWS = 10_000;

    /** PostgreSQL timestamps support at least this distance from now. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private ArgumentConverters() {}

    private static long whole(String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        String range = most == Long.MAX_VALUE || most == Integer.MAX_VALUE
                ? "of at least " + least
                : "from " + least + " to " + most;
        throw new TypeConversionException("'" + text + "' is not a whole number " + range);
    }

    private static Duration time(String text, Duration least) {
        Duration time;
        try {
            time = Times.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
        if (time.compareTo(least) < 0) {
            throw new TypeConversionException("'" + text + "' is less than " + Times.text(least));
        }
        if (time.compareTo(LONGEST) > 0) {
            throw new TypeConversionException("'" + text + "' is longer than a hundred years");
        }
        return time;
    }

    /** A text of a filter. A variable of the shell that is not set is an empty text, and would match nothing. */
    public static final class GivenText implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (text.isEmpty()) {
                throw new TypeConversionException("an empty text; leave the option away, or give it one");
            }
            return text;
        }
    }

    public static final class RowLimit implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) whole(text, 1, MOST_ROWS);
        }
    }

    public static final class PositiveInt implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) whole(text, 1, Integer.MAX_VALUE);
        }
    }

    /** A count, a number from the database, or a place behind one. */
    public static final class NonNegativeLong implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, 0, Long.MAX_VALUE);
        }
    }

    public static final class AnyDuration implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return time(text, Duration.ZERO);
        }
    }

    public static final class PositiveDuration implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return time(text, Duration.ofMillis(1));
        }
    }

    public static final class PollInterval implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return time(text, Duration.ofMillis(100));
        }
    }

    /** A moment in one of the forms of {@link Times#moment}, or an age such as {@code 2h}. */
    public static final class PointInTime implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            return moment(text).orElseGet(() -> now().minus(span(text)));
        }
    }

    /** A {@link PointInTime} that is over: nothing has happened since a later one. */
    public static final class PastTime implements ITypeConverter<Instant> {
        /** The database's clock may be ahead. */
        private static final Duration SKEW = Duration.ofMinutes(1);

        @Override
        public Instant convert(String text) {
            Instant since = new PointInTime().convert(text);
            ahead(text, since, now().plus(SKEW));
            return since;
        }
    }

    /** An age such as {@code 90d}, or the moment since which it counts. */
    public static final class Age implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return moment(text).map(since -> ahead(text, since, now())).orElseGet(() -> span(text));
        }
    }

    /** A wait such as {@code 10m}, or the moment at which it ends. */
    public static final class Wait implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return moment(text).map(end -> ahead(text, now(), end)).orElseGet(() -> span(text));
        }
    }

    private static Instant now() {
        return InstantSource.system().instant();
    }

    private static Optional<Instant> moment(String text) {
        try {
            return Times.moment(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static Duration span(String text) {
        try {
            Times.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time such as 2026-03-01, 2026-03-01 06:00 (UTC) or"
                            + " 2026-03-01T07:00+01:00, nor a span such as 30m, 2h, PT2H or 7d");
        }
        return time(text, Duration.ZERO);
    }

    private static Duration ahead(String text, Instant from, Instant to) {
        if (to.isBefore(from)) {
            throw new TypeConversionException("'" + text + "' is on the wrong side of now, " + from + " to " + to);
        }
        return time(Duration.between(from, to).toString(), Duration.ZERO);
    }
}
