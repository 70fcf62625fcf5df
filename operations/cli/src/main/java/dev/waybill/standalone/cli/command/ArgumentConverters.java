package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.config.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
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

    /** A time such as {@code 2026-03-01T06:00:00Z} or {@code 2026-03-01T07:00+01:00}, or an age such as {@code 2h}. */
    public static final class PointInTime implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            return text.indexOf('T') > 0
                    ? at(text)
                    : InstantSource.system().instant().minus(ago(text));
        }

        private static Instant at(String text) {
            try {
                return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeException e) {
                throw noMoment(text);
            }
        }

        private static Duration ago(String text) {
            try {
                Times.parse(text);
            } catch (IllegalArgumentException e) {
                throw noMoment(text);
            }
            return time(text, Duration.ZERO);
        }

        private static TypeConversionException noMoment(String text) {
            return new TypeConversionException(
                    "'" + text + "' is not a time such as 2026-03-01T06:00:00Z, or 2h, 30m or 7d for so long ago");
        }
    }
}
