package dev.waybill.standalone.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

/** The buckets of duration histograms. Few, because each is a series for each destination and relay. */
final class HistogramBounds {
    static final Duration[] ALL = LongStream.of(
                    1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private HistogramBounds() {}
}
