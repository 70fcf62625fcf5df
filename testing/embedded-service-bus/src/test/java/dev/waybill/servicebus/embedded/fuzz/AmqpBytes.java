package dev.waybill.servicebus.embedded.fuzz;

import dev.waybill.servicebus.embedded.message.AmqpCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.qpid.proton.amqp.UnknownDescribedType;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.jspecify.annotations.Nullable;

/** Frames of AMQP, well-formed but for what is put into them. */
final class AmqpBytes {
    static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};

    private AmqpBytes() {}

    /** A described list: a performative, a source, an outcome. */
    static Object described(long code, @Nullable Object... fields) {
        return wrapped(code, Collections.unmodifiableList(Arrays.asList(fields)));
    }

    /** A described value: a section of a message, a filter. */
    static Object wrapped(long code, @Nullable Object value) {
        return new UnknownDescribedType(UnsignedLong.valueOf(code), value);
    }

    static byte[] frame(int type, int channel, byte[] body) {
        return ByteBuffer.allocate(8 + body.length)
                .putInt(8 + body.length)
                .put((byte) 2)
                .put((byte) type)
                .putShort((short) channel)
                .put(body)
                .array();
    }

    static byte[] joined(List<byte[]> parts) {
        ByteBuffer all =
                ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(all::put);
        return all.array();
    }

    /** One performative with its payload. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares steps.
    record Step(long code, List<@Nullable Object> fields, byte[] payload) {
        Step with(int field, @Nullable Object value) {
            List<@Nullable Object> changed = new ArrayList<>(fields);
            changed.set(Math.floorMod(field, changed.size()), value);
            return new Step(code, changed, payload);
        }

        Step with(byte[] other) {
            return new Step(code, fields, other);
        }

        /** The step as the report of a failure shows it. */
        @Override
        public String toString() {
            return "0x" + Long.toHexString(code) + " " + fields + " + " + payload.length + " bytes";
        }

        /** As it is, but for one field that is encoded by hand. */
        byte[] bytesWith(int field, byte[] value) {
            return frame(0, 0, joined(List.of(Nested.list(code, fields, field, value), payload)));
        }

        byte[] bytes() {
            return frame(0, 0, joined(List.of(AmqpCodec.encode(wrapped(code, fields)), payload)));
        }
    }
}
