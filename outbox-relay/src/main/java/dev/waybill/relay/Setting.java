package dev.waybill.relay;

import java.time.Duration;
import java.util.Objects;

/** Validates settings. */
final class Setting {
    private Setting() {}

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    static Duration within(Duration least, Duration value, Duration most, String rule) {
        nonNull(value, rule + ": the time");
        require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0, rule + ", not " + value);
        return value;
    }

    static String storable(String name, String what) {
        require(!nonNull(name, what).isBlank(), what + " must not be blank");
        require(name.indexOf('\0') < 0, what + " must not contain NUL, which PostgreSQL cannot store");
        return name;
    }

    static <T> T nonNull(T value, String setting) {
        return Objects.requireNonNull(value, () -> setting + " must not be null");
    }
}
