package dev.waybill.deadletter.store;

import dev.waybill.message.WireContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values that the tables and the broker take. */
public final class StorableValues {
    private static final Instant FIRST_TIME = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59.999Z");
    private static final Duration SHORTEST_TIME_TO_LIVE = Duration.ofMillis(1);
    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private StorableValues() {}

    static boolean isOnCalendar(Instant time) {
        return !time.isBefore(FIRST_TIME) && !time.isAfter(LAST_TIME);
    }

    /** A text with U+FFFD in place of NUL, which PostgreSQL does not store. */
    static @Nullable String text(@Nullable String text) {
        return text == null ? null : text.replace('\0', '\uFFFD');
    }

    /** Whether a text has half of a surrogate pair, which UTF-8 turns into a question mark. */
    public static boolean hasHalfPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return true;
            }
        }
        return false;
    }

    public static boolean isUtf8(byte[] body) {
        return Arrays.equals(new String(body, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), body);
    }

    /** Whether the broker takes a time to live; null is none. */
    public static boolean isTimeToLive(@Nullable Duration timeToLive) {
        return timeToLive == null
                || (timeToLive.compareTo(SHORTEST_TIME_TO_LIVE) >= 0
                        && timeToLive.compareTo(WireContract.LONGEST_TIME_TO_LIVE) <= 0);
    }

    public static boolean isUuid(@Nullable Object value) {
        return value instanceof String text && UUID_FORM.matcher(text).matches();
    }
}
