package dev.waybill.embedded.postgres;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One connection through a {@link TcpProxy}. Thread-safe. */
public final class Flow {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Socket client;
    private final Socket server;
    private final Consumer<Flow> onEnd;
    private final AtomicLong bytes = new AtomicLong();
    private boolean silent;
    private boolean ended;

    Flow(Socket client, Socket server, Consumer<Flow> onEnd) {
        this.client = client;
        this.server = server;
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
        try {
            var in = from.getInputStream();
            var out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitResumed();
                if (isCutOff()) {
                    // What was held back when the connection was cut never arrives.
                    break;
                }
                out.write(buffer, 0, count);
                bytes.addAndGet(count);
            }
        } catch (IOException e) {
            // One side has gone.
        }
        awaitResumed();
        cut();
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
