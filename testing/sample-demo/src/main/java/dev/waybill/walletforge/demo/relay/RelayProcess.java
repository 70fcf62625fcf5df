package dev.waybill.walletforge.demo.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A relay in a JVM of its own. Thread-safe. */
public final class RelayProcess implements AutoCloseable {
    private static final AtomicInteger GENERATION = new AtomicInteger();
    private static final int PATIENCE_SECONDS = 10;

    private final String applicationName;
    private final Process process;

    private RelayProcess(String applicationName, Process process) {
        this.applicationName = applicationName;
        this.process = process;
    }

    /** Starts a process; it connects in its own time. */
    public static RelayProcess start(RelayLaunch launch) throws IOException {
        String name = "walletforge-relay-" + ProcessHandle.current().pid() + "-" + GENERATION.incrementAndGet();
        return new RelayProcess(name, launch.process(name).start());
    }

    /** The name of its database sessions. */
    public String applicationName() {
        return applicationName;
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it the hard way (SIGKILL): nothing in it learns of its end. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits until it is gone, and says whether it is. */
    public boolean awaitEnd() throws InterruptedException {
        return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    int exitCode() {
        return process.exitValue();
    }

    /** Ends it the polite way, and the hard way if it takes too long. */
    @Override
    public void close() {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.flush();
        } catch (IOException e) {
            // It is gone already; the hard way does no harm then.
            process.destroyForcibly();
        }
        try {
            if (!awaitEnd()) {
                kill();
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }
}
