package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.transport.LingeringClose;
import dev.waybill.servicebus.embedded.transport.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections. Confined to the loop's thread, but for its construction before the loop starts. */
public final class AmqpServer {
    private static final Logger log = LoggerFactory.getLogger(AmqpServer.class);

    private static final int BACKLOG = 1024;

    private final Broker broker;
    private final InetSocketAddress address;
    private ServerSocketChannel listener;
    private final Set<AmqpConnection> connections = new LinkedHashSet<>();
    private final Set<LingeringClose> lingering = new LinkedHashSet<>();

    /** Listens on a port; 0 means any free one. */
    public AmqpServer(Broker broker, InetAddress address, int port) throws IOException {
        this.broker = broker;
        this.listener = listen(ReservedPort.keep(broker.loop(), new InetSocketAddress(address, port)));
        this.address = new InetSocketAddress(address, listener.socket().getLocalPort());
    }

    private ServerSocketChannel listen(InetSocketAddress where) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(where, BACKLOG);
            channel.configureBlocking(false);
            broker.loop().register(channel, SelectionKey.OP_ACCEPT, this::accept);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Cuts every connection and accepts no more. */
    public void suspend() throws IOException {
        listener.close();
        dropConnections();
        broker.loop().releaseClosed();
    }

    /** Accepts connections again, on the same port. */
    public void resume() throws IOException {
        if (!listener.isOpen()) {
            listener = listen(address);
        }
    }

    /** Whether it accepts connections now. */
    public boolean listening() {
        return listener.isOpen();
    }

    /** The port it listens on. */
    public int port() {
        return address.getPort();
    }

    /** How many connections there are. */
    public int connectionCount() {
        return connections.size();
    }

    /** Cuts every connection without a closing word. */
    public void dropConnections() {
        List.copyOf(connections).forEach(AmqpConnection::drop);
        List.copyOf(lingering).forEach(LingeringClose::cut);
    }

    /** The broker ends: so does every connection. */
    public void goAway() {
        List.copyOf(connections).forEach(AmqpConnection::goAway);
    }

    private void accept() {
        try {
            for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
                open(channel);
            }
        } catch (IOException e) {
            log.warn("Could not accept a connection: {}", e.toString());
        }
    }

    /**
     * Begins with a client that has connected; hangs up on it if that fails, so that it does not wait for ever.
     */
    void open(SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connections.add(new AmqpConnection(broker, channel, lingering, connections::remove));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
