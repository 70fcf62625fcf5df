package dev.waybill.benchmarks.measure;

/** Time since it was started, on the clock that does not jump. Immutable. */
public final class Stopwatch {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long startedAt = System.nanoTime();

    private Stopwatch() {}

    /** A watch that runs. */
    public static Stopwatch start() {
        return new Stopwatch();
    }

    /** How long it runs, in seconds. */
    public double seconds() {
        return (System.nanoTime() - startedAt) / NANOS_PER_SECOND;
    }

    /** So many of something, per second so far. */
    public double rate(long count) {
        return count / seconds();
    }
}
