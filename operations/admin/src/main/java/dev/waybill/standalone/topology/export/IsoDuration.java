package dev.waybill.standalone.topology.export;

import java.time.Duration;

/** Durations in Azure's form, with days. */
final class IsoDuration {
    private IsoDuration() {}

    static String of(Duration duration) {
        long days = duration.toDays();
        Duration rest = duration.minusDays(days);
        if (days == 0) {
            return rest.toString();
        }
        return "P" + days + "D" + (rest.isZero() ? "" : rest.toString().substring(1));
    }
}
