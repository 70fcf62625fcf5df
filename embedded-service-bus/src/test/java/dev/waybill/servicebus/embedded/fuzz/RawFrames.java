package dev.waybill.servicebus.embedded.fuzz;

import static dev.waybill.servicebus.embedded.fuzz.AmqpBytes.described;

import dev.waybill.servicebus.embedded.fuzz.AmqpBytes.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.jspecify.annotations.Nullable;

/** A connection on which every frame is written by hand, and none is read. */
final class RawFrames implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final Socket socket;

    /** Opens a connection and a session. */
    RawFrames(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write(AmqpBytes.HEADER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        frame(0x10, "raw", "localhost", uint(65_536), UnsignedShort.valueOf((short) 100), uint(60_000));
        frame(0x11, null, uint(0), uint(100_000), uint(100_000), uint(255));
    }

    static UnsignedInteger uint(int value) {
        return UnsignedInteger.valueOf(value);
    }

    RawFrames frame(long code, @Nullable Object... fields) {
        return write(new Step(code, Arrays.asList(fields), NOTHING).bytes());
    }

    RawFrames write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    RawFrames receiver(String name, int handle, String address) {
        return attach(name, handle, true, address, "here", null);
    }

    RawFrames sender(String name, int handle, String address) {
        return attach(name, handle, false, "here", address, uint(0));
    }

    private RawFrames attach(
            String name, int handle, boolean receives, String source, String target, @Nullable Object count) {
        return frame(
                0x12,
                name,
                uint(handle),
                receives,
                UnsignedByte.valueOf((byte) 1),
                UnsignedByte.valueOf((byte) 0),
                described(0x28, source, uint(0), Symbol.valueOf("never"), uint(0), false, null, null, new HashMap<>()),
                described(0x29, target, uint(0), Symbol.valueOf("never"), uint(0), false, null, null),
                null,
                null,
                count,
                null,
                null,
                null,
                new HashMap<>(Map.of()));
    }

    RawFrames credit(int handle, int count) {
        return frame(
                0x13, uint(0), uint(100_000), uint(0), uint(100_000), uint(handle), uint(0), uint(count), null, false,
                false);
    }

    RawFrames transfer(int handle, int id, boolean more, byte[] payload) {
        return write(transferOf(handle, id, more, payload));
    }

    static byte[] transferOf(int handle, int id, boolean more, byte[] payload) {
        Binary tag = new Binary(new byte[] {(byte) (id >> 8), (byte) id});
        return bytes(payload, 0x14, uint(handle), uint(id), tag, uint(0), false, more);
    }

    /** Goes on with the transfer that the link has begun. */
    RawFrames more(int handle, byte[] payload) {
        return write(bytes(payload, 0x14, uint(handle), null, null, null, null, true));
    }

    static byte[] abortOf(int handle, int id) {
        return bytes(NOTHING, 0x14, uint(handle), uint(id), null, null, null, false, null, null, null, true);
    }

    private static byte[] bytes(byte[] payload, long code, @Nullable Object... fields) {
        return new Step(code, Arrays.asList(fields), payload).bytes();
    }

    RawFrames detach(int handle, boolean closed) {
        return frame(0x16, uint(handle), closed, null);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
