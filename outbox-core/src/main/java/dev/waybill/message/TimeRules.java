package dev.waybill.message;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times that Service Bus can hold: those of .NET. */
final class TimeRules {
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    /** {@code TimeSpan.MaxValue}, as .NET counts it in 64 bits of 100 ns. */
    private static final Duration LONGEST =
            Duration.ofSeconds(Long.MAX_VALUE / 10_000_000, Long.MAX_VALUE % 10_000_000 * 100);

    private TimeRules() {}

    static @Nullable String ofDuration(String field, Duration time) {
        return time.abs().compareTo(LONGEST) <= 0
                ? null
                : "has the time " + time + " in its " + field + "; Service Bus takes " + LONGEST + " at most";
    }

    static @Nullable String violation(String field, @Nullable Instant time) {
        return time == null || (!time.isBefore(FIRST) && !time.isAfter(LAST))
                ? null
                : "has the time " + time + " in its " + field + "; Service Bus takes years from 1 to 9999";
    }

    static @Nullable String ofTimeToLive(@Nullable Duration timeToLive) {
        if (timeToLive != null && timeToLive.compareTo(Duration.ofMillis(1)) < 0) {
            return "has the time to live " + timeToLive + "; at least one millisecond is needed";
        }
        if (timeToLive != null && timeToLive.compareTo(WireContract.LONGEST_TIME_TO_LIVE) > 0) {
            return "has the time to live " + timeToLive + "; the Azure SDK sends none above "
                    + WireContract.LONGEST_TIME_TO_LIVE + ": leave it to the entity's own";
        }
        return null;
    }
}
