package dev.waybill.standalone.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The type of an option's text. */
enum Kind {
    TEXT("text") {
        @Override
        boolean reads(String text) {
            return true;
        }
    },
    INTEGER("a whole number that is not negative") {
        @Override
        boolean reads(String text) {
            return text.matches("[0-9]{1,9}");
        }
    },
    RATIO("a number from 0 to 1") {
        @Override
        boolean reads(String text) {
            return text.matches("0(\\.[0-9]+)?|1(\\.0+)?");
        }
    },
    SWITCH("true or false") {
        @Override
        boolean reads(String text) {
            return "true".equals(text) || "false".equals(text);
        }
    },
    DURATION("a time such as 500ms, 15s, 10m, 2h or 7d") {
        @Override
        boolean reads(String text) {
            return parseDuration(text) != null;
        }
    },
    BYTES("a size such as 65536, 256KiB, 1MiB or 100MB") {
        @Override
        boolean reads(String text) {
            return parseBytes(text) != null;
        }
    },
    LIST("names with commas between them") {
        @Override
        boolean reads(String text) {
            return true;
        }
    };

    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,12}) ?([A-Za-z]*)");
    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final Map<String, Long> SIZES =
            Map.of("", 1L, "b", 1L, "kb", 1_000L, "kib", 1L << 10, "mb", 1_000_000L, "mib", 1L << 20, "gib", 1L << 30);

    private final String form;

    Kind(String form) {
        this.form = form;
    }

    /** The expected form, for messages and the manual. */
    String form() {
        return form;
    }

    abstract boolean reads(String text);

    static @Nullable Duration parseDuration(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (amount.matches()) {
            Long unit = MILLIS.get(amount.group(2).toLowerCase(Locale.ROOT));
            long value = Long.parseLong(amount.group(1));
            if (unit == null) {
                return value == 0 ? Duration.ZERO : null;
            }
            return value > Long.MAX_VALUE / unit ? null : Duration.ofMillis(value * unit);
        }
        try {
            Duration duration = Duration.parse(text);
            return duration.isNegative() || duration.compareTo(LONGEST) > 0 ? null : duration;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    static @Nullable Long parseBytes(String text) {
        Matcher amount = AMOUNT.matcher(text);
        Long unit = amount.matches() ? SIZES.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            return null;
        }
        long value = Long.parseLong(amount.group(1));
        return value > Long.MAX_VALUE / unit ? null : Long.valueOf(value * unit);
    }

    static List<String> parseList(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
