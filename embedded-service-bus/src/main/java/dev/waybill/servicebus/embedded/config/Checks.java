package dev.waybill.servicebus.embedded.config;

import java.time.Duration;

final class Checks {
    private Checks() {}

    static Duration between(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " must lie between " + least + " and " + most + ": " + value);
        }
        return value;
    }

    static long between(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must lie between " + least + " and " + most + ": " + value);
        }
        return value;
    }
}
