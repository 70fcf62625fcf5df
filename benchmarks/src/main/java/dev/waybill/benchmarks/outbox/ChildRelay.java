package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A relay in a JVM of its own, and a thread that hears what it has published. */
final class ChildRelay implements AutoCloseable {
    /** The relay's own. */
    static final Duration DEFAULT_LEASE = Duration.ofSeconds(15);

    private static final int PATIENCE_SECONDS = 20;

    private final Process process;
    private final Thread listener;

    private ChildRelay(Process process, Listener listener) {
        this.process = process;
        this.listener = new Thread(() -> listen(process.inputReader(), listener), "child-relay");
        this.listener.setDaemon(true);
    }

    static ChildRelay start(OutboxSchema schema, String connectionString, Listener listener) throws IOException {
        return start(schema.urlFor("relay"), schema, connectionString, DEFAULT_LEASE, listener);
    }

    /** One that reaches the database by a way of its own. */
    static ChildRelay start(String url, OutboxSchema schema, String connectionString, Duration lease, Listener listener)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        RelayProcess.class.getName(),
                        url,
                        schema.name().value(),
                        connectionString,
                        Long.toString(lease.toMillis()))
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

    /** Ends it at once, without a word to the database. */
    void kill() {
        process.destroyForcibly();
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
