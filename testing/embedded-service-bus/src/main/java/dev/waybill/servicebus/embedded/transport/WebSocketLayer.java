package dev.waybill.servicebus.embedded.transport;

import java.nio.ByteBuffer;
import org.apache.qpid.proton.engine.Transport;
import org.apache.qpid.proton.engine.TransportException;
import org.apache.qpid.proton.engine.impl.TransportInput;
import org.apache.qpid.proton.engine.impl.TransportLayer;
import org.apache.qpid.proton.engine.impl.TransportOutput;
import org.apache.qpid.proton.engine.impl.TransportWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Lets a client speak AMQP inside a Web Socket (RFC 6455), below TLS and above everything else. A client shows what it wants
 * by its first bytes: those of HTTP ask for a Web Socket, and after all others this layer is passed through.
 */
public final class WebSocketLayer implements TransportLayer {
    private static final int NORMAL = 1000;
    private static final int GOING_AWAY = 1001;
    private static final int PROTOCOL_ERROR = 1002;

    private @Nullable Wrapper wrapper;

    @Override
    public TransportWrapper wrap(TransportInput input, TransportOutput output) {
        wrapper = new Wrapper(input, output);
        return wrapper;
    }

    /** Tells the client that the broker goes away; true if there is a Web Socket, by which it can be told. */
    public boolean goAway() {
        if (wrapper == null || wrapper.state != State.OPEN) {
            return false;
        }
        wrapper.end(GOING_AWAY);
        return true;
    }

    private enum State {
        UNDECIDED,
        PLAIN,
        OPENING,
        OPEN,
        CLOSED
    }

    private static final class Wrapper implements TransportWrapper {
        private static final int BUFFER = 16 * 1024;
        private static final byte[] ASK = {'G', 'E', 'T', ' '};

        private final TransportInput input;
        private final TransportOutput output;
        private final WebSocketFrames frames = new WebSocketFrames();
        private ByteBuffer received = ByteBuffer.allocate(BUFFER);
        private ByteBuffer sending = ByteBuffer.allocate(0);
        private State state = State.UNDECIDED;
        private boolean heard;

        Wrapper(TransportInput input, TransportOutput output) {
            this.input = input;
            this.output = output;
        }

        @Override
        public int capacity() {
            if (state == State.PLAIN) {
                return input.capacity();
            }
            return input.capacity() < 0 || state == State.CLOSED ? Transport.END_OF_STREAM : received.remaining();
        }

        @Override
        public int position() {
            return state == State.PLAIN ? input.position() : received.position();
        }

        @Override
        public ByteBuffer tail() throws TransportException {
            return state == State.PLAIN ? input.tail() : received;
        }

        @Override
        public void process() throws TransportException {
            if (state == State.UNDECIDED) {
                decide();
            }
            switch (state) {
                case PLAIN -> input.process();
                case OPENING -> shakeHands();
                case OPEN -> unwrap();
                case UNDECIDED, CLOSED -> {
                    // Nothing is to be understood yet, or any more.
                }
            }
        }

        private void decide() {
            int known = Math.min(received.position(), ASK.length);
            for (int i = 0; i < known; i++) {
                if (received.get(i) != ASK[i]) {
                    passThrough();
                    return;
                }
            }
            if (known == ASK.length) {
                state = State.OPENING;
            }
        }

        private void passThrough() {
            state = State.PLAIN;
            received.flip();
            feed(received);
            received = ByteBuffer.allocate(0);
        }

        private void shakeHands() {
            WebSocketHandshake handshake = WebSocketHandshake.read(received);
            if (handshake == null) {
                if (!received.hasRemaining()) {
                    throw new TransportException("A Web Socket is asked for at too great length");
                }
                return;
            }
            sending = ByteBuffer.wrap(handshake.answer());
            received.compact();
            if (handshake.accepted()) {
                state = State.OPEN;
                unwrap();
            } else {
                close();
            }
        }

        private void unwrap() {
            received.flip();
            while (state == State.OPEN && another()) {
                switch (frames.kind()) {
                    case DATA -> {
                        heard = true;
                        feed(frames.payload());
                    }
                    case PING -> answer(frames.pong());
                    case CLOSE -> {
                        answer(frames.closingToo());
                        close();
                    }
                    case PONG -> {
                        // An answer to nothing that was asked.
                    }
                }
            }
            received.compact();
        }

        private boolean another() {
            try {
                return frames.next(received);
            } catch (TransportException e) {
                end(PROTOCOL_ERROR);
                return false;
            }
        }

        private void end(int code) {
            answer(WebSocketFrames.closing(code));
            close();
        }

        private void answer(byte[] frame) {
            ByteBuffer more = ByteBuffer.allocate(sending.remaining() + frame.length);
            more.put(sending).put(frame).flip();
            sending = more;
        }

        private void close() {
            state = State.CLOSED;
            input.close_tail();
        }

        private void feed(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                int capacity = input.capacity();
                if (capacity <= 0) {
                    return;
                }
                ByteBuffer part = bytes.slice();
                part.limit(Math.min(capacity, part.remaining()));
                bytes.position(bytes.position() + part.remaining());
                input.tail().put(part);
                input.process();
            }
        }

        @Override
        public void close_tail() {
            input.close_tail();
        }

        @Override
        public int pending() {
            if (state == State.PLAIN) {
                return output.pending();
            }
            if (sending.hasRemaining()) {
                return sending.remaining();
            }
            if (state == State.UNDECIDED || state == State.OPENING || (state == State.OPEN && !heard)) {
                // Before a client has said what it speaks, nobody can know how to answer; and one that reads the
                // answer to its handshake may not be ready for what follows it.
                return 0;
            }
            int pending = state == State.CLOSED ? Transport.END_OF_STREAM : output.pending();
            if (pending < 0 && state == State.OPEN) {
                end(NORMAL);
                return sending.remaining();
            }
            if (pending > 0) {
                sending = WebSocketFrames.around(output.head(), pending);
                output.pop(pending);
                return sending.remaining();
            }
            return pending;
        }

        @Override
        public ByteBuffer head() {
            if (state == State.PLAIN) {
                return output.head();
            }
            pending();
            return sending.asReadOnlyBuffer();
        }

        @Override
        public void pop(int bytes) {
            if (state == State.PLAIN) {
                output.pop(bytes);
            } else {
                sending.position(sending.position() + bytes);
            }
        }

        @Override
        public void close_head() {
            output.close_head();
        }
    }
}
