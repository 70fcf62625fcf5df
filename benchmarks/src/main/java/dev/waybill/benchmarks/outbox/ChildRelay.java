package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A relay in a JVM of its own, and a thread that hears what it has published. */
final class ChildRelay implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;

    private final Process process;
    private final Thread listener;

    private ChildRelay(Process process, Listener listener) {
        this.process = process;
        this.listener = new Thread(() -> listen(process.inputReader(), listener), "child-relay");
        this.listener.setDaemon(true);
    }

    static ChildRelay start(OutboxSchema schema, String connectionString, Listener listener) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        RelayProcess.class.getName(),
                        schema.urlFor("relay"),
                        schema.name().value(),
                        connectionString)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var child = new ChildRelay(process, listener);
        child.listener.start();
        return child;
    }

    // Its standard input is its lifeline.
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            listener.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private static void listen(BufferedReader output, Listener listener) {
        try (output) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && words[0].equals(RelayProcess.ACKNOWLEDGED)) {
                    listener.acknowledged(words[1], Long.parseLong(words[2]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The relay's process cannot be heard", e);
        }
    }

    /** Hears of each message. */
    @FunctionalInterface
    interface Listener {
        void acknowledged(String messageId, long nanoTime);
    }
}
