package dev.waybill.benchmarks.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * CPU time of this process's threads, from the kernel's books; only on Linux. The JVM itself counts its time in steps of 10 ms,
 * which is 20 µs a message where 500 are measured.
 */
public final class OwnCpu {
    private static final Path THREADS = Path.of("/proc/self/task");

    private OwnCpu() {}

    /** CPU time so far of the threads that are alive, in nanoseconds: those that matter must live on until it is asked again. */
    public static long nanos() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            long nanos = 0;
            for (Path thread : threads) {
                nanos += nanosOf(thread);
            }
            return nanos;
        } catch (IOException e) {
            throw new UncheckedIOException("CPU time needs /proc, hence Linux", e);
        }
    }

    private static long nanosOf(Path thread) throws IOException {
        try {
            String times = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(times.substring(0, times.indexOf(' ')));
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
