package dev.waybill.servicebus.embedded.transport;

import dev.waybill.servicebus.embedded.loop.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * Keeps a port while nobody listens on it. Linux gives the port of a closed listener to any outgoing connection, and
 * then an outage could not end on that port. Linux does not give away a port that another socket is bound to, and lets
 * a listener bind to it as well if both sockets set {@code SO_REUSEADDR} (socket(7)). Other systems refuse the second
 * socket; there a port is free during an outage.
 */
public final class ReservedPort {
    private static final boolean POSSIBLE = "Linux".equals(System.getProperty("os.name"));

    private ReservedPort() {}

    /**
     * Binds a socket that never listens, and that the loop closes when it ends.
     *
     * @return where a listener is to bind to: the same port, or the one that was found if any was wanted
     */
    public static InetSocketAddress keep(EventLoop loop, InetSocketAddress wanted) throws IOException {
        if (!POSSIBLE) {
            return wanted;
        }
        SocketChannel socket = SocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(wanted);
            socket.configureBlocking(false);
            loop.register(socket, 0, () -> {});
            return (InetSocketAddress) socket.getLocalAddress();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
