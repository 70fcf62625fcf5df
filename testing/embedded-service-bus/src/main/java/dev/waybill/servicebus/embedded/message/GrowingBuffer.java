package dev.waybill.servicebus.embedded.message;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.codec.WritableBuffer;

final class GrowingBuffer implements WritableBuffer {
    private ByteBuffer buffer;

    GrowingBuffer(int initialCapacity) {
        buffer = ByteBuffer.allocate(initialCapacity);
    }

    byte[] toByteArray() {
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    void clear() {
        buffer.clear();
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            int needed = Math.addExact(buffer.position(), bytes);
            ByteBuffer larger = ByteBuffer.allocate(Math.max(needed, buffer.capacity() * 2));
            buffer.flip();
            larger.put(buffer);
            buffer = larger;
        }
        return buffer;
    }

    @Override
    public void put(byte b) {
        room(1).put(b);
    }

    @Override
    public void putFloat(float f) {
        room(4).putFloat(f);
    }

    @Override
    public void putDouble(double d) {
        room(8).putDouble(d);
    }

    @Override
    public void put(byte[] src, int offset, int length) {
        room(length).put(src, offset, length);
    }

    @Override
    public void putShort(short s) {
        room(2).putShort(s);
    }

    @Override
    public void putInt(int i) {
        room(4).putInt(i);
    }

    @Override
    public void putLong(long l) {
        room(8).putLong(l);
    }

    @Override
    public boolean hasRemaining() {
        return true;
    }

    @Override
    public void ensureRemaining(int requiredRemaining) {
        room(requiredRemaining);
    }

    @Override
    public int remaining() {
        return Integer.MAX_VALUE - buffer.position();
    }

    @Override
    public int position() {
        return buffer.position();
    }

    @Override
    public void position(int position) {
        if (position > buffer.position()) {
            room(position - buffer.position());
        }
        buffer.position(position);
    }

    @Override
    public void put(ByteBuffer payload) {
        room(payload.remaining()).put(payload);
    }

    @Override
    public void put(ReadableBuffer payload) {
        room(payload.remaining());
        payload.get(this);
    }

    @Override
    public int limit() {
        return Integer.MAX_VALUE;
    }
}
