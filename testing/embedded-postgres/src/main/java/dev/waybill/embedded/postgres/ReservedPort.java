package dev.waybill.embedded.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A port for a server that starts more than once. On Linux a socket that never listens is bound to it, so that no
 * outgoing connection leaves from that port while the server is down. The server can bind to it as well, because both
 * set {@code SO_REUSEADDR} (socket(7)). Other systems refuse the second socket; there the port was free a moment ago.
 */
final class ReservedPort implements AutoCloseable {
    private static final boolean KEPT = "Linux".equals(System.getProperty("os.name"));

    private final SocketChannel socket;
    private final int number;

    private ReservedPort(SocketChannel socket) throws IOException {
        this.socket = socket;
        this.number = ((InetSocketAddress) socket.getLocalAddress()).getPort();
    }

    /** Any free port of the loopback interface. */
    static ReservedPort any() throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var port = new ReservedPort(socket);
            if (!KEPT) {
                socket.close();
            }
            return port;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    int number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
