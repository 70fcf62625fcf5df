package dev.waybill.proof.check;

import dev.waybill.proof.timeline.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Times without any effect while messages waited, longer than the nemeses explain. */
public final class Stalls {
    /** How long the cast may need after a trouble. */
    private static final Duration BOUND = Duration.ofSeconds(60);

    private Stalls() {}

    public static Finding find(List<Timeline.Sample> samples, List<Timeline.Strike> strikes) {
        var stalls = new ArrayList<String>();
        for (int i = 1, begin = 0; i < samples.size(); i++) {
            boolean moved = samples.get(i).effects() != samples.get(i - 1).effects();
            boolean waits = samples.get(i - 1).ledger() < samples.get(i - 1).written();
            if (!moved && waits && i < samples.size() - 1) {
                continue;
            }
            long from = samples.get(begin).at();
            long to = samples.get(i).at();
            if (to - from - troubled(from, to, strikes) > BOUND.toMillis()) {
                stalls.add("from " + from / 1000 + " s to " + to / 1000 + " s");
            }
            begin = i;
        }
        return new Finding(
                "no stall is longer than its nemesis and " + BOUND.toSeconds() + " s", stalls.size(), stalls);
    }

    private static long troubled(long from, long to, List<Timeline.Strike> strikes) {
        long troubled = 0;
        for (long at = from; at < to; at += 100) {
            long moment = at;
            if (strikes.stream().anyMatch(strike -> strike.begin() <= moment && moment < strike.end())) {
                troubled += 100;
            }
        }
        return troubled;
    }
}
