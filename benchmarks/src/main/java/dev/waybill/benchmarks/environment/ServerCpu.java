package dev.waybill.benchmarks.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** CPU time of server processes, from the kernel's books; only where the server runs on this machine, and on Linux. */
public interface ServerCpu {
    /** CPU time so far, in nanoseconds. */
    long nanos();

    /** These processes, to the nanosecond; they must live on. */
    static ServerCpu of(List<Long> processes) {
        if (processes.isEmpty()) {
            throw new IllegalStateException("No server process to measure");
        }
        return () -> processes.stream().mapToLong(ProcFiles::runNanos).sum();
    }

    /** The server that this backend belongs to; processes that have ended count too, to the kernel's clock tick. */
    static ServerCpu ofServerWith(long backend) {
        long server = ProcFiles.parent(backend);
        return () -> ProcFiles.runNanos(server)
                + ProcFiles.endedChildrenNanos(server)
                + ProcFiles.children(server).stream()
                        .mapToLong(ProcFiles::runNanos)
                        .sum();
    }

    /** The files of /proc that say it. */
    final class ProcFiles {
        private static final int PARENT = 1;
        private static final int CHILDREN_USER_TIME = 13;
        private static final int CHILDREN_SYSTEM_TIME = 14;
        // The unit in which Linux reports to user space on every platform, whatever its own tick is.
        private static final long NANOS_PER_TICK = 10_000_000;

        private ProcFiles() {}

        static long runNanos(long process) {
            String text = read(process, "schedstat");
            return text.isEmpty() ? 0 : Long.parseLong(text.substring(0, text.indexOf(' ')));
        }

        static long parent(long process) {
            return field(process, PARENT);
        }

        static long endedChildrenNanos(long process) {
            return (field(process, CHILDREN_USER_TIME) + field(process, CHILDREN_SYSTEM_TIME)) * NANOS_PER_TICK;
        }

        static List<Long> children(long process) {
            return ProcessHandle.of(process).stream()
                    .flatMap(ProcessHandle::children)
                    .map(ProcessHandle::pid)
                    .toList();
        }

        // The second field is the command in parentheses, which may contain spaces.
        private static long field(long process, int indexAfterCommand) {
            String text = read(process, "stat");
            return text.isEmpty()
                    ? 0
                    : Long.parseLong(text.substring(text.lastIndexOf(')') + 2).split(" ", -1)[indexAfterCommand]);
        }

        private static String read(long process, String file) {
            try {
                return Files.readString(Path.of("/proc", Long.toString(process), file));
            } catch (NoSuchFileException e) {
                return "";
            } catch (IOException e) {
                throw new UncheckedIOException("CPU time needs /proc of the machine the server runs on", e);
            }
        }
    }
}
