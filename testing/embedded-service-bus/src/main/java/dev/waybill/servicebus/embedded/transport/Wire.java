package dev.waybill.servicebus.embedded.transport;

import dev.waybill.servicebus.embedded.loop.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.apache.qpid.proton.engine.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries bytes between a socket and a protocol engine. */
public final class Wire {
    private static final Logger log = LoggerFactory.getLogger(Wire.class);
    /** One connection's turn, after which the others get theirs. */
    private static final int READS_PER_TURN = 16;

    private final EventLoop loop;
    private final SocketChannel channel;
    private final Transport transport;
    private final SelectionKey key;
    private final Runnable received;
    private boolean stalled;
    private boolean toldAll;
    private boolean clientGone;

    public Wire(EventLoop loop, SocketChannel channel, Transport transport, Runnable ready, Runnable received)
            throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.transport = transport;
        this.received = received;
        this.key = loop.register(channel, SelectionKey.OP_READ, ready);
    }

    /** Reads what there is; false once the client has gone. */
    public boolean read() {
        try {
            for (int i = 0; i < READS_PER_TURN && !stalled; i++) {
                if (transport.capacity() <= 0) {
                    return false;
                }
                int count = channel.read(transport.tail());
                if (count < 0) {
                    clientGone = true;
                    transport.close_tail();
                    received.run();
                    return false;
                }
                if (count == 0) {
                    return true;
                }
                transport.process();
                received.run();
            }
            return true;
        } catch (IOException e) {
            clientGone = true;
            log.debug("The client's connection broke: {}", e.toString());
            return false;
        }
    }

    /** Writes what there is to write and the socket takes; false once there is nothing more to come. */
    public boolean write() {
        try {
            int pending = transport.pending();
            while (pending > 0) {
                ByteBuffer head = transport.head();
                int count = channel.write(head);
                transport.pop(count);
                if (count == 0) {
                    // A client that does not read is not read from either, or its answers would pile up here.
                    key.interestOps(SelectionKey.OP_WRITE);
                    return true;
                }
                pending = transport.pending();
            }
            if (pending == 0) {
                key.interestOps(stalled ? 0 : SelectionKey.OP_READ);
            }
            toldAll = pending < 0;
            return pending == 0;
        } catch (IOException e) {
            clientGone = true;
            log.debug("The client's connection broke: {}", e.toString());
            return false;
        }
    }

    public boolean readable() {
        return key.isValid() && key.isReadable();
    }

    /** Stops reading, or begins again. */
    public void stall(boolean on) {
        stalled = on;
        key.interestOps(on ? 0 : SelectionKey.OP_READ);
    }

    /**
     * Ends the connection; a client that was told of it may finish what it writes.
     *
     * @param lingering has the socket as long as it is left to such a client
     */
    public void close(Set<LingeringClose> lingering) {
        if (toldAll && !clientGone && channel.isOpen()) {
            LingeringClose.begin(loop, channel, key, lingering);
        } else {
            cut();
        }
    }

    /** Ends the connection without a word, as a failing network does. */
    public void cut() {
        try {
            channel.close();
        } catch (IOException e) {
            log.debug("Closing a socket failed: {}", e.toString());
        }
    }
}
