package dev.waybill.embedded.postgres;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One connection through a {@link TcpProxy}. Thread-safe. */
public final class Flow {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Socket client;
    private final Socket server;
    private final Duration delay;
    private final Consumer<Flow> onEnd;
    private final AtomicLong bytes = new AtomicLong();
    private boolean silent;
    private boolean ended;

    Flow(Socket client, Socket server, Duration delay, Consumer<Flow> onEnd) {
        this.client = client;
        this.server = server;
        this.delay = delay;
        this.onEnd = onEnd;
    }

    void start() {
        pump(client, server);
        pump(server, client);
    }

    /** From now on nothing arrives on either side, not even that the other one has closed. */
    public synchronized void silence() {
        silent = true;
    }

    /** Lets pass everything that was sent since the pause. */
    public synchronized void resume() {
        silent = false;
        notifyAll();
    }

    /** Closes both sides. */
    public void cut() {
        synchronized (this) {
            ended = true;
            notifyAll();
        }
        close(client);
        close(server);
        onEnd.accept(this);
    }

    /** Bytes that have arrived so far, of both directions. */
    public long bytes() {
        return bytes.get();
    }

    private void pump(Socket from, Socket to) {
        var thread = new Thread(() -> copy(from, to), "tcp-flow");
        thread.setDaemon(true);
        thread.start();
    }

    private void copy(Socket from, Socket to) {
        var buffer = new byte[BUFFER_BYTES];
        var inOrder = delay.isZero() ? null : new ScheduledThreadPoolExecutor(1, Flow::thread);
        Executor arrival = inOrder == null
                ? Runnable::run
                : chunk -> {
                    var unused = inOrder.schedule(chunk, delay.toNanos(), TimeUnit.NANOSECONDS);
                };
        try {
            var in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0 && !isCutOff(); count = in.read(buffer)) {
                byte[] chunk = Arrays.copyOf(buffer, count);
                arrival.execute(() -> arrive(chunk, to));
            }
        } catch (IOException e) {
            // One side has gone.
        }
        arrival.execute(() -> {
            awaitResumed();
            cut();
        });
        if (inOrder != null) {
            inOrder.shutdown();
        }
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "tcp-flow-delayed");
        thread.setDaemon(true);
        return thread;
    }

    // What was held back when the connection was cut never arrives.
    private void arrive(byte[] chunk, Socket to) {
        awaitResumed();
        if (!isCutOff()) {
            try {
                to.getOutputStream().write(chunk);
                bytes.addAndGet(chunk.length);
            } catch (IOException e) {
                cut();
            }
        }
    }

    private synchronized boolean isCutOff() {
        return ended;
    }

    private synchronized void awaitResumed() {
        while (silent && !ended) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // As good as closed.
        }
    }
}
