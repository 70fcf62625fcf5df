package dev.waybill.servicebus.embedded.transport;

import java.nio.ByteBuffer;
import org.apache.qpid.proton.engine.TransportException;

/** The frames of one Web Socket: takes the client's apart, whatever pieces they come in, and makes the broker's. */
final class WebSocketFrames {
    private static final int LAST = 0x80;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int RESERVED = 0x70;
    private static final int CODE_BYTES = 2;
    private static final int MASKED = 0x80;
    private static final int MASK_BYTES = 4;
    private static final int LONGEST_CONTROL = 125;

    enum Kind {
        DATA,
        PING,
        PONG,
        CLOSE
    }

    private Kind kind = Kind.DATA;
    private long left;
    private int masked;
    private final byte[] mask = new byte[MASK_BYTES];
    private ByteBuffer payload = ByteBuffer.allocate(0);

    /** Moves on to the next piece of payload, or control frame; false if more bytes are needed for that. */
    boolean next(ByteBuffer bytes) {
        if (left == 0 && !header(bytes)) {
            return false;
        }
        if (kind != Kind.DATA && bytes.remaining() < left) {
            return false;
        }
        if (left > 0 && !bytes.hasRemaining()) {
            return false;
        }
        byte[] piece = new byte[(int) Math.min(left, bytes.remaining())];
        bytes.get(piece);
        for (int i = 0; i < piece.length; i++) {
            piece[i] ^= mask[masked++ % MASK_BYTES];
        }
        left -= piece.length;
        payload = ByteBuffer.wrap(piece);
        return true;
    }

    private boolean header(ByteBuffer bytes) {
        int at = bytes.position();
        if (bytes.remaining() < 2) {
            return false;
        }
        int first = bytes.get(at) & 0xFF;
        int second = bytes.get(at + 1) & 0xFF;
        int shortLength = second & 0x7F;
        int extra = shortLength == 126 ? 2 : shortLength == 127 ? 8 : 0;
        if ((second & MASKED) == 0) {
            throw new TransportException("A client's frames must be masked");
        }
        if (bytes.remaining() < 2 + extra + MASK_BYTES) {
            return false;
        }
        bytes.position(at + 2);
        left = extra == 0 ? shortLength : extra == 2 ? bytes.getShort() & 0xFFFF : bytes.getLong();
        bytes.get(mask);
        masked = 0;
        kind = kind(first & 0x0F);
        if (left < 0 || (kind != Kind.DATA && left > LONGEST_CONTROL)) {
            throw new TransportException("A frame claims too great a length");
        }
        boolean cutShort = kind == Kind.CLOSE && left == 1;
        boolean inPieces = kind != Kind.DATA && (first & LAST) == 0;
        if ((first & RESERVED) != 0 || cutShort || inPieces) {
            throw new TransportException("A frame is not made as RFC 6455 says");
        }
        return true;
    }

    private static Kind kind(int code) {
        return switch (code) {
            case 0, 1, BINARY -> Kind.DATA;
            case CLOSE -> Kind.CLOSE;
            case 9 -> Kind.PING;
            case 10 -> Kind.PONG;
            default -> throw new TransportException("There is no frame of kind " + code);
        };
    }

    Kind kind() {
        return kind;
    }

    ByteBuffer payload() {
        return payload;
    }

    /** The answer to a ping, with what it carried. */
    byte[] pong() {
        byte[] frame = new byte[2 + payload.remaining()];
        frame[0] = (byte) (LAST | 10);
        frame[1] = (byte) payload.remaining();
        payload.duplicate().get(frame, 2, payload.remaining());
        return frame;
    }

    /** The answer to a closing frame, with the reason that it gave, if any. */
    byte[] closingToo() {
        return payload.remaining() < CODE_BYTES
                ? new byte[] {(byte) (LAST | CLOSE), 0}
                : closing(payload.getShort(0) & 0xFFFF);
    }

    /** Ends the Web Socket from this side, with a code of RFC 6455, 7.4. */
    static byte[] closing(int code) {
        return new byte[] {(byte) (LAST | CLOSE), CODE_BYTES, (byte) (code >> 8), (byte) code};
    }

    /** One frame around so many bytes, which are copied. */
    static ByteBuffer around(ByteBuffer bytes, int length) {
        ByteBuffer frame = ByteBuffer.allocate(length + 10);
        frame.put((byte) (LAST | BINARY));
        if (length < 126) {
            frame.put((byte) length);
        } else if (length < 0x1_0000) {
            frame.put((byte) 126).putShort((short) length);
        } else {
            frame.put((byte) 127).putLong(length);
        }
        ByteBuffer content = bytes.slice();
        content.limit(length);
        return frame.put(content).flip();
    }
}
