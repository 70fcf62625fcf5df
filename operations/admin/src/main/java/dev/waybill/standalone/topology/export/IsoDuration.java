package dev.waybill.standalone.topology.export;

import java.time.Duration;

/** Times as Azure writes them: with days, which Java leaves out. */
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
