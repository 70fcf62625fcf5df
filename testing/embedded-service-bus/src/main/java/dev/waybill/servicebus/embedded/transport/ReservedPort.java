package dev.waybill.servicebus.embedded.transport;

import dev.waybill.servicebus.embedded.loop.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * Keeps a port while no listener has it. Linux may assign a closed listener's port to an outgoing connection, which would prevent the
 * end of an outage. A second socket bound to the port prevents that, and a listener can still bind if both set {@code SO_REUSEADDR}
 * (socket(7)). Other systems reject the second socket, so the port is free there during an outage.
 */
public final class ReservedPort {
    private static final boolean POSSIBLE = "Linux".equals(System.getProperty("os.name"));

    private ReservedPort() {}

    /**
     * Binds a socket that never listens; the loop closes it.
     *
     * @return the address for the listener
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
