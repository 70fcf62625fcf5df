package dev.waybill.benchmarks.measure;

import dev.waybill.benchmarks.environment.Environment;

/** One question to the machine, with figures as the answer. */
public interface Benchmark {
    /** The name on the command line. */
    String name();

    /** A description in one line. */
    String summary();

    /** Measures and reports. Leaves nothing running. */
    void run(Environment environment, Scale scale, Report report) throws Exception;
}
