package dev.waybill.servicebus.embedded.amqp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections. Confined to the loop's thread, but for its construction before the loop starts. */
public final class AmqpServer {
    private static final Logger log = LoggerFactory.getLogger(AmqpServer.class);

    private final Broker broker;
    private final ServerSocketChannel listener;
    private final Set<AmqpConnection> connections = new LinkedHashSet<>();

    /** Listens on a port; 0 means any free one. */
    public AmqpServer(Broker broker, InetAddress address, int port) throws IOException {
        this.broker = broker;
        this.listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(new InetSocketAddress(address, port), 1024);
            listener.configureBlocking(false);
            broker.loop().register(listener, SelectionKey.OP_ACCEPT, this::accept);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    /** The port it listens on. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    /** How many connections there are. */
    public int connectionCount() {
        return connections.size();
    }

    /** Cuts every connection without a closing word. */
    public void dropConnections() {
        Set.copyOf(connections).forEach(AmqpConnection::drop);
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

    private void open(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        connections.add(new AmqpConnection(broker, channel, connections::remove));
    }
}
