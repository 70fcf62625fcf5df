package dev.waybill.benchmarks.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much of the time the just-in-time compiler of this JVM is at work. It takes one of two cores whenever some method has
 * been called often enough, and a process that has run for an hour does without. Not thread-safe.
 */
public final class CompilerWatch {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final double restingShare;
    private long compiledMillis = compiler.getTotalCompilationTime();
    private Stopwatch elapsed = Stopwatch.start();

    /** @param restingShare the compiler counts as resting if it takes less of the time than this */
    public CompilerWatch(double restingShare) {
        this.restingShare = restingShare;
    }

    /** Whether the compiler has rested since it was asked last. */
    public boolean hasRested() {
        long now = compiler.getTotalCompilationTime();
        double share = (now - compiledMillis) / MILLIS_PER_SECOND / elapsed.seconds();
        compiledMillis = now;
        elapsed = Stopwatch.start();
        return share < restingShare;
    }
}
