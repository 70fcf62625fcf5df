package dev.waybill.walletforge.demo.serve;

import dev.waybill.walletforge.demo.relay.RelayLaunch;
import dev.waybill.walletforge.demo.relay.RelayProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The relay in a process of its own, which is started again a second after it has ended. Thread-safe. */
final class ServedRelay implements AutoCloseable {
    private static final int PAUSE_MILLIS = 1_000;

    private final RelayLaunch launch;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    private RelayProcess process;

    ServedRelay(RelayLaunch launch) throws IOException {
        this.launch = launch;
        process = RelayProcess.start(launch);
        var unused = watch.scheduleWithFixedDelay(this::replace, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    synchronized void kill() {
        process.kill();
    }

    private synchronized void replace() {
        try {
            if (!process.isAlive()) {
                process = RelayProcess.start(launch);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        watch.shutdownNow();
        process.close();
    }
}
