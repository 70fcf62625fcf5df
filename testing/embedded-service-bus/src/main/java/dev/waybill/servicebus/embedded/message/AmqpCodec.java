package dev.waybill.servicebus.embedded.message;

import java.nio.ByteBuffer;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes AMQP values. Thread-safe: each thread has its own codecs. */
public final class AmqpCodec {
    private static final ThreadLocal<AmqpCodec> CODECS = ThreadLocal.withInitial(AmqpCodec::new);

    private final DecoderImpl decoder = new DecoderImpl();
    private final EncoderImpl encoder = new EncoderImpl(decoder);
    private final GrowingBuffer buffer = new GrowingBuffer(1024);

    private AmqpCodec() {
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
    }

    /** Throws {@code MalformedMessageException} if the bytes are no value. */
    public static @Nullable Object decode(byte[] bytes, int offset, int length) {
        DecoderImpl decoder = CODECS.get().decoder;
        decoder.setByteBuffer(ByteBuffer.wrap(bytes, offset, length).slice());
        try {
            return decoder.readObject();
        } catch (RuntimeException | StackOverflowError e) {
            // The decoder recurses per nesting level, and a few kilobytes can nest thousands deep.
            throw new MalformedMessageException("Not an AMQP value: " + e.getMessage(), e);
        } finally {
            decoder.setBuffer(null);
        }
    }

    /** Throws {@code MalformedMessageException} if the bytes are no message. */
    public static Message message(byte[] bytes) {
        Message message = Message.Factory.create();
        try {
            message.decode(bytes, 0, bytes.length);
            return message;
        } catch (RuntimeException | StackOverflowError e) {
            throw new MalformedMessageException("Not an AMQP message: " + e.getMessage(), e);
        }
    }

    public static byte[] encode(@Nullable Object... values) {
        AmqpCodec codec = CODECS.get();
        codec.buffer.clear();
        codec.encoder.setByteBuffer(codec.buffer);
        for (Object value : values) {
            codec.encoder.writeObject(value);
        }
        return codec.buffer.toByteArray();
    }
}
