package dev.waybill.embedded.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A network between clients and a server on the loopback interface: it can be slow, it can cut connections, and it can go
 * silent, as a firewall does that has forgotten a flow: nothing is closed and nothing arrives. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 5_000;

    private final ServerSocket listener;
    private final List<Flow> flows = new CopyOnWriteArrayList<>();
    private volatile InetSocketAddress target;
    private Duration delay = Duration.ZERO;
    private boolean silent;

    private TcpProxy(ServerSocket listener, InetSocketAddress target) {
        this.listener = listener;
        this.target = target;
    }

    /** A proxy on a free port in front of a port of this machine. */
    public static TcpProxy to(int port) {
        return to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** A proxy on a free port of the loopback interface in front of a server anywhere. */
    public static TcpProxy to(InetSocketAddress server) {
        try {
            var proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server);
            var acceptor = new Thread(proxy::accept, "tcp-proxy");
            acceptor.setDaemon(true);
            acceptor.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("There is no port to listen on", e);
        }
    }

    /** Where clients connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Leads new connections to another port of this machine; the open ones stay where they are. */
    public void leadTo(int port) {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** The connections that are open, in the order they came. */
    public List<Flow> flows() {
        return List.copyOf(flows);
    }

    /** What is sent over connections to come arrives so much later, on either side. */
    public synchronized void delay(Duration eachWay) {
        delay = eachWay;
    }

    /** Silences all connections, also those to come: they are accepted and hear nothing. */
    public synchronized void silence() {
        silent = true;
        flows.forEach(Flow::silence);
    }

    /** Lets all go on; what was sent meanwhile arrives now, as TCP sends again what was lost. */
    public synchronized void resume() {
        silent = false;
        flows.forEach(Flow::resume);
    }

    /** Silences the open connections for good; new ones are served. */
    public synchronized void forgetFlows() {
        flows.forEach(Flow::silence);
    }

    /** Closes all open connections on both sides; new ones are served. */
    public void cut() {
        flows.forEach(Flow::cut);
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The listener cannot be closed", e);
        } finally {
            cut();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                open(listener.accept());
            } catch (IOException e) {
                // Closed, or a client that has gone before it was served.
            }
        }
    }

    private void open(Socket client) throws IOException {
        var server = new Socket();
        try {
            server.connect(target, CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) {
            client.close();
            server.close();
            throw e;
        }
        begin(client, server);
    }

    private synchronized void begin(Socket client, Socket server) {
        var flow = new Flow(client, server, delay, flows::remove);
        flows.add(flow);
        if (silent) {
            flow.silence();
        }
        flow.start();
    }
}
