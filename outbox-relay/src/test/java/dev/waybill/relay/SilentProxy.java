package dev.waybill.relay;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * A way to a PostgreSQL server that a test can make go silent, as when a firewall forgets a flow: connections stay open, and
 * whatever is written to them vanishes. Thread-safe.
 */
public final class SilentProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final String url;
    private final Properties target;
    private final List<Flow> flows = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    private SilentProxy(String url) throws IOException {
        this.url = url;
        target = Driver.parseURL(url, new Properties());
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon("proxy-accept", this::accept);
    }

    /** Begins to pass connections on to the server of a JDBC URL with one host. */
    public static SilentProxy to(String url) {
        try {
            return new SilentProxy(url);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL that leads here. */
    public String url() {
        return url.replaceFirst("//[^/]+/", "//" + address() + "/");
    }

    /** Host and port. */
    public String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** Swallows from now on what goes through the connections that are open; new ones are passed on. */
    public void silenceOpenFlows() {
        flows.forEach(flow -> flow.silent = true);
    }

    /** Swallows what goes through any connection, and accepts new ones. */
    public void silence() {
        silent = true;
    }

    /** Passes new connections on again; those that went silent stay so. */
    public void speak() {
        silenceOpenFlows();
        silent = false;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Flow flow : flows) {
            flow.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                var server = new Socket(
                        PGProperty.PG_HOST.getOrDefault(target),
                        Integer.parseInt(PGProperty.PG_PORT.getOrDefault(target)));
                var flow = new Flow(client, server);
                flows.add(flow);
                daemon("proxy-to-server", () -> pump(flow, client, server));
                daemon("proxy-to-client", () -> pump(flow, server, client));
            }
        } catch (IOException e) {
            // The listener is closed: the test is over.
        }
    }

    private void pump(Flow flow, Socket from, Socket to) {
        var bytes = new byte[65_536];
        try {
            var in = from.getInputStream();
            var out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (!silent && !flow.silent) {
                    out.write(bytes, 0, count);
                }
            }
        } catch (IOException e) {
            // One side is gone.
        }
        if (!silent && !flow.silent) {
            flow.close();
        }
    }

    private static void daemon(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static final class Flow implements Closeable {
        private final Socket client;
        private final Socket server;
        private volatile boolean silent;

        Flow(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        @Override
        public void close() {
            try (client;
                    server) {
                silent = true;
            } catch (IOException e) {
                // Closed already.
            }
        }
    }
}
