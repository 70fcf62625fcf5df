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

/** Moves bytes between a socket and a protocol engine. */
public final class Wire {
    private static final Logger log = LoggerFactory.getLogger(Wire.class);
    /** Afterwards the other connections get their turn. */
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

    /** Returns false when the client has disconnected. */
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

    /** Returns false after the last output. */
    public boolean write() {
        try {
            int pending = transport.pending();
            while (pending > 0) {
                ByteBuffer head = transport.head();
                int count = channel.write(head);
                transport.pop(count);
                if (count == 0) {
                    // A client that does not read is not read from either, or its answers would pile up.
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

    public void stall(boolean on) {
        stalled = on;
        key.interestOps(on ? 0 : SelectionKey.OP_READ);
    }

    /**
     * Ends the connection; a client that received an error may finish writing.
     *
     * @param lingering holds its socket meanwhile
     */
    public void close(Set<LingeringClose> lingering) {
        if (toldAll && !clientGone && channel.isOpen()) {
            LingeringClose.begin(loop, channel, key, lingering);
        } else {
            cut();
        }
    }

    public void cut() {
        try {
            channel.close();
        } catch (IOException e) {
            log.debug("Closing a socket failed: {}", e.toString());
        }
    }
}
