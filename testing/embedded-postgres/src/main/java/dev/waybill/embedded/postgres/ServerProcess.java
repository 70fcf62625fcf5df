package dev.waybill.embedded.postgres;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A running server and its children, as the operating system sees them. */
final class ServerProcess {
    private static final int PATIENCE_SECONDS = 20;

    // Many of these servers may run beside each other in tests: none is bigger than a test needs. No sync to
    // disk: what a killed process has written is not lost with it.
    static final Map<String, String> SETTINGS = Map.of(
            "listen_addresses", "127.0.0.1",
            "unix_socket_directories", "",
            "fsync", "off",
            "shared_buffers", "64MB",
            "max_connections", "100",
            "max_prepared_transactions", "10",
            "wal_keep_size", "256MB",
            "wal_retrieve_retry_interval", "100ms",
            "timezone", "UTC");

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    static ServerProcess start(Path binaries, DataDirectory directory, int port) {
        var command = new ArrayList<String>();
        // PostgreSQL does not run as root; in a user namespace of its own it is nobody, and the files are its own.
        if (LinuxUtils.isUnshareAvailable()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(
                binaries.resolve("postgres").toString(),
                "-D",
                directory.data().toString(),
                "-p",
                Integer.toString(port)));
        SETTINGS.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        try {
            return new ServerProcess(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL cannot be started from " + binaries, e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the server without a checkpoint: its data is as after a crash. */
    void crash() {
        end("-QUIT");
    }

    /** Ends the sessions and then the server, as a restart by an operator does. */
    void stop() {
        end("-INT");
    }

    private void end(String signal) {
        thaw();
        signal(signal, Stream.of(process.pid()));
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Stops all of it where it stands. The parent first, so that no child is born meanwhile. */
    void freeze() {
        signal("-STOP", Stream.of(process.pid()));
        signal("-STOP", children());
    }

    void thaw() {
        signal("-CONT", Stream.concat(children(), Stream.of(process.pid())));
    }

    private Stream<Long> children() {
        return process.descendants().map(ProcessHandle::pid);
    }

    private static void signal(String signal, Stream<Long> processes) {
        var command = new ArrayList<>(List.of("kill", signal));
        processes.forEach(process -> command.add(Long.toString(process)));
        if (command.size() == 2) {
            return;
        }
        try {
            // One that has ended meanwhile is no failure.
            new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("Processes cannot be signalled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static String lastLines(DataDirectory directory) {
        try {
            List<String> lines = Files.readAllLines(directory.log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "(no log)";
        }
    }
}
