package dev.waybill.servicebus.embedded.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as XML Schema writes them. A year has 365 days and a month 30, as in .NET (dotnet/runtime, XsdDuration).
 */
public final class XmlDuration {
    private static final Pattern YEARS_AND_MONTHS =
            Pattern.compile("P(?=\\d+[YM])(?:(?<years>\\d+)Y)?(?:(?<months>\\d+)M)?(?<rest>.*)");

    private XmlDuration() {}

    /**
     * Reads a duration.
     *
     * @throws DateTimeException if it is none
     * @throws ArithmeticException if it is too long
     */
    public static Duration parse(String text) {
        Matcher parts = YEARS_AND_MONTHS.matcher(text);
        if (!parts.matches()) {
            return Duration.parse(text);
        }
        String rest = parts.group("rest");
        return rest.isEmpty() ? days(parts) : days(parts).plus(Duration.parse("P" + rest));
    }

    private static Duration days(Matcher parts) {
        return Duration.ofDays(Math.addExact(
                Math.multiplyExact(365L, whole(parts.group("years"))),
                Math.multiplyExact(30L, whole(parts.group("months")))));
    }

    private static long whole(@Nullable String digits) {
        try {
            return digits == null ? 0 : Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new DateTimeException("There are too many digits: " + digits, e);
        }
    }
}
