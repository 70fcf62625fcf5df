package dev.waybill.benchmarks.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * CPU time of this process's threads, from the kernel's books; only on Linux. The JVM itself counts its time in steps of 10 ms,
 * which is 20 µs a message where 500 are measured.
 */
public final class OwnCpu {
    private static final Path THREADS = Path.of("/proc/self/task");

    private OwnCpu() {}

    /** CPU time so far of the threads that are alive, in nanoseconds: those that matter must live on until it is asked again. */
    public static long nanos() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.map(Path::getFileName)
                    .mapToLong(thread -> ServerCpu.ProcFiles.runNanos(Long.parseLong(thread.toString())))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException("CPU time needs /proc, hence Linux", e);
        }
    }
}
