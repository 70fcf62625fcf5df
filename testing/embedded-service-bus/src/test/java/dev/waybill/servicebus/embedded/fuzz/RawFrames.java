package dev.waybill.servicebus.embedded.fuzz;

import static dev.waybill.servicebus.embedded.fuzz.AmqpBytes.described;

import dev.waybill.servicebus.embedded.fuzz.AmqpBytes.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.jspecify.annotations.Nullable;

/** A connection on which every frame is written by hand. */
final class RawFrames implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final Socket socket;
    private boolean mayBeCutOff;

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

    /** From now on the broker may end the connection at any time: writes after that are in vain and do not fail. */
    RawFrames thatMayBeCutOff() {
        mayBeCutOff = true;
        return this;
    }

    RawFrames frame(long code, @Nullable Object... fields) {
        return write(new Step(code, Arrays.asList(fields), NOTHING).bytes());
    }

    RawFrames write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            if (!mayBeCutOff) {
                throw new UncheckedIOException(e);
            }
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
        return write(attachOf(name, handle, receives, source, target, count));
    }

    static byte[] attachOf(
            String name, int handle, boolean receives, String source, String target, @Nullable Object count) {
        UnsignedByte settled = UnsignedByte.valueOf((byte) 1);
        UnsignedByte first = UnsignedByte.valueOf((byte) 0);
        Object from = described(0x28, source);
        Object to = described(0x29, target);
        return bytes(NOTHING, 0x12, name, uint(handle), receives, settled, first, from, to, null, null, count);
    }

    static byte[] creditOf(int handle, int count) {
        return bytes(NOTHING, 0x13, uint(0), uint(100_000), uint(0), uint(100_000), uint(handle), uint(0), uint(count));
    }

    static byte[] detachOf(int handle) {
        return bytes(NOTHING, 0x16, uint(handle), true);
    }

    RawFrames credit(int handle, int count) {
        return write(creditOf(handle, count));
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

    /** All that the broker writes until it ends the connection. */
    String heard() {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
