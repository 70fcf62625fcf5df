package dev.waybill.walletforge.demo.fault;

import dev.waybill.walletforge.demo.relay.RelayLaunch;
import dev.waybill.walletforge.demo.relay.RelayProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where one relay process sits at a time, and is replaced when it was killed. Thread-safe. */
final class RelaySupervisor implements AutoCloseable {
    private final RelayLaunch launch;
    private @Nullable RelayProcess process;
    private int starts;
    private boolean killed;
    private boolean closed;

    RelaySupervisor(RelayLaunch launch) {
        this.launch = launch;
    }

    /** Starts the first process, or one in place of a killed one. */
    synchronized RelayProcess start() throws IOException {
        if (closed) {
            throw new IllegalStateException("The run is over");
        }
        starts++;
        killed = false;
        process = RelayProcess.start(launch);
        return process;
    }

    /** Kills the process that sits here now. */
    synchronized void kill() {
        killed = true;
        if (process != null) {
            process.kill();
        }
    }

    /** How often a process took the place of a killed one. */
    synchronized int restarts() {
        return Math.max(0, starts - 1);
    }

    /** Fails if the process ended although nobody killed it. */
    synchronized void check() {
        if (process != null && !killed && !process.isAlive()) {
            throw new IllegalStateException("The relay process has ended by itself");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (process != null) {
            process.close();
        }
    }
}
