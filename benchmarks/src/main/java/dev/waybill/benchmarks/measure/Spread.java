package dev.waybill.benchmarks.measure;

import java.util.List;

/** A figure measured in rounds: the median, and how far the rounds lie apart. */
public record Spread(double median, double min, double max, int rounds) {

    /** The median of rounds; of an even number the mean of the middle two. */
    public static Spread of(List<Double> rounds) {
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("No round, no figure");
        }
        double[] sorted =
                rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    /** A figure that was measured once. */
    public static Spread once(double value) {
        return new Spread(value, value, value, 1);
    }

    /** A number that was counted once. */
    public static Spread count(long number) {
        return once((double) number);
    }
}
