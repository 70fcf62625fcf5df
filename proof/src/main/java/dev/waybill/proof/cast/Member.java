package dev.waybill.proof.cast;

import dev.waybill.embedded.postgres.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process of the cast, with links of its own to the database and the broker. Thread-safe; a member that was killed can be started
 * again, and keeps its links.
 */
public final class Member {
    private static final long PATIENCE_SECONDS = 30;

    private final String role;
    private final String name;
    private final Jvm jvm;
    private final Map<String, String> terms;
    private final TcpProxy database;
    private final TcpProxy broker;
    private Jvm.Options options = Jvm.Options.USUAL;
    private @Nullable Process process;
    private boolean wanted;
    private int starts;

    Member(String role, String name, Jvm jvm, Map<String, String> terms, Links links) {
        this.role = role;
        this.name = name;
        this.jvm = jvm;
        this.terms = Map.copyOf(terms);
        this.database = links.database();
        this.broker = links.broker();
    }

    public String role() {
        return role;
    }

    public String name() {
        return name;
    }

    /** Its link to the database. */
    public TcpProxy database() {
        return database;
    }

    /** Its link to the broker. */
    public TcpProxy broker() {
        return broker;
    }

    /** Starts it, unless it runs; from now on it is started again whenever it has ended. */
    public synchronized void start() {
        wanted = true;
        if (isAlive()) {
            return;
        }
        starts++;
        var arguments = new ArrayList<String>(List.of(role));
        terms.forEach((term, value) -> arguments.add(term + "=" + value));
        try {
            process = jvm.start(name, options, arguments);
        } catch (IOException e) {
            throw new UncheckedIOException("The process " + name + " cannot be started", e);
        }
    }

    /** From the next start on. */
    public synchronized void options(java.util.function.UnaryOperator<Jvm.Options> change) {
        options = change.apply(Jvm.Options.USUAL);
    }

    /** Starts it again if it has ended by itself, as a supervisor of processes does. */
    synchronized void supervise() {
        if (wanted && !isAlive()) {
            start();
        }
    }

    /** How often it was started. */
    public synchronized int starts() {
        return starts;
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** SIGKILL. */
    public synchronized void kill() {
        if (process != null) {
            signal("-CONT");
            process.destroyForcibly();
            await(process);
        }
    }

    /** Ends it as an operator does, and kills it if it does not end. */
    public synchronized void stop() {
        wanted = false;
        if (process == null) {
            return;
        }
        try {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (IOException e) {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    /** SIGSTOP or SIGCONT. */
    public synchronized void freeze(boolean frozen) {
        signal(frozen ? "-STOP" : "-CONT");
    }

    /** Has it write the stacks of its threads into its log. */
    public synchronized void dumpThreads() {
        signal("-QUIT");
    }

    private void signal(String signal) {
        if (process != null && process.isAlive()) {
            try {
                await(new ProcessBuilder("kill", signal, Long.toString(process.pid())).start());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void await(Process process) {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void close() {
        wanted = false;
        kill();
        database.close();
        broker.close();
    }

    /** The links of a member. */
    record Links(TcpProxy database, TcpProxy broker) {}
}
