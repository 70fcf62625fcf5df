package dev.waybill.relay;

import java.time.Duration;
import java.util.Objects;

/** Checks of a setting, made where it is given. */
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
        require(!nonNull(name, what).isBlank(), what + " is not blank");
        require(name.indexOf('\0') < 0, what + " has no character 0, which no database stores");
        return name;
    }

    static <T> T nonNull(T value, String setting) {
        return Objects.requireNonNull(value, () -> setting + " is not null");
    }
}
