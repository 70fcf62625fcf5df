package dev.waybill.servicebus.embedded.transport;

import dev.waybill.servicebus.embedded.loop.EventLoop;
import dev.waybill.servicebus.embedded.loop.Timers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the socket of a client that was sent an error and may still write. The operating system discards that error if the socket
 * closes with unread bytes; so they are read and discarded.
 */
public final class LingeringClose {
    private static final Logger log = LoggerFactory.getLogger(LingeringClose.class);
    private static final int LONGEST_MILLIS = 2_000;
    private static final int READS_PER_TURN = 16;

    private final SocketChannel channel;
    private final Set<LingeringClose> open;
    private final Timers.Timer end;

    private LingeringClose(EventLoop loop, SocketChannel channel, Set<LingeringClose> open) {
        this.channel = channel;
        this.open = open;
        this.end = loop.network().in(LONGEST_MILLIS, this::cut);
    }

    /**
     * Stops writing, and closes after the client or a timeout.
     *
     * @param open holds this object until then
     */
    static void begin(EventLoop loop, SocketChannel channel, SelectionKey key, Set<LingeringClose> open) {
        LingeringClose close = new LingeringClose(loop, channel, open);
        open.add(close);
        try {
            channel.shutdownOutput();
            key.attach((Runnable) close::discard);
            key.interestOps(SelectionKey.OP_READ);
        } catch (IOException e) {
            close.cut();
        }
    }

    private void discard() {
        ByteBuffer unheard = ByteBuffer.allocate(64 * 1024);
        try {
            for (int i = 0; i < READS_PER_TURN; i++) {
                int count = channel.read(unheard.clear());
                if (count < 0) {
                    cut();
                }
                if (count <= 0) {
                    return;
                }
            }
        } catch (IOException e) {
            cut();
        }
    }

    public void cut() {
        end.cancel();
        open.remove(this);
        try {
            channel.close();
        } catch (IOException e) {
            log.debug("Closing a socket failed: {}", e.toString());
        }
    }
}
