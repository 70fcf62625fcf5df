package dev.waybill.standalone.cli;

import dev.waybill.standalone.config.Times;
import java.time.Duration;

/** Times that are counted from now, back or ahead. */
final class Ages {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Ages() {}

    /**
     * Reads the value of an option.
     *
     * @throws IllegalArgumentException if it is no time, or one that no calendar of a database can count from now
     */
    static Duration parse(String option, String text) {
        Duration age = Times.parse(text);
        if (age.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(option + " " + text + " is longer than a hundred years");
        }
        return age;
    }
}
