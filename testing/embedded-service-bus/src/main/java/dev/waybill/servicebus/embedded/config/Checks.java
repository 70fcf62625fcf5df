package dev.waybill.servicebus.embedded.config;

import java.time.Duration;

final class Checks {
    private Checks() {}

    static Duration between(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " must lie between " + least + " and " + most + ": " + value);
        }
        return value;
    }

    static long between(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must lie between " + least + " and " + most + ": " + value);
        }
        return value;
    }
}
