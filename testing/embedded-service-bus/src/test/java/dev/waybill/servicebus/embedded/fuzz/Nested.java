package dev.waybill.servicebus.embedded.fuzz;

import dev.waybill.servicebus.embedded.message.AmqpCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values within values, deeper than anybody would write them, encoded by hand as no library would. */
enum Nested {
    DESCRIPTIONS {
        @Override
        byte[] bytes(int levels) {
            byte[] bytes = new byte[Math.min(levels, MOST_BYTES)];
            bytes[bytes.length - 1] = NULL;
            return bytes;
        }
    },
    LISTS {
        @Override
        byte[] bytes(int levels) {
            return wrapped(LIST, levels);
        }
    },
    MAPS {
        @Override
        byte[] bytes(int levels) {
            return wrapped(MAP, levels);
        }
    },
    ARRAYS {
        @Override
        byte[] bytes(int levels) {
            return wrapped(ARRAY, levels);
        }
    },
    /** A value that claims more elements than anybody has memory for. */
    CLAIMS {
        @Override
        byte[] bytes(int levels) {
            byte[] kinds = {LIST, MAP, ARRAY};
            return ByteBuffer.allocate(13)
                    .put(kinds[levels % 3])
                    .putInt(8)
                    .putInt(Integer.MAX_VALUE - levels % 16)
                    .putInt(NULL << 24)
                    .array();
        }
    };

    private static final int MOST_BYTES = 60_000;
    private static final byte NULL = 0x40;
    private static final byte LIST = (byte) 0xD0;
    private static final byte MAP = (byte) 0xD1;
    private static final byte ARRAY = (byte) 0xF0;
    private static final int EACH = 9;

    abstract byte[] bytes(int levels);

    /** Each level has its constructor, the size of what follows, and one element, which is the next level. */
    private static byte[] wrapped(byte constructor, int levels) {
        int depth = Math.max(1, Math.min(levels, MOST_BYTES / EACH));
        ByteBuffer bytes = ByteBuffer.allocate(depth * EACH + 1);
        for (int left = depth; left > 0; left--) {
            bytes.put(constructor).putInt(4 + 1 + (left - 1) * EACH).putInt(1);
        }
        return bytes.put(NULL).array();
    }

    /** A described list of which one field is this. */
    static byte[] list(long code, List<@Nullable Object> fields, int field, byte[] value) {
        List<byte[]> parts = new ArrayList<>();
        int at = Math.floorMod(field, fields.size());
        for (int i = 0; i < fields.size(); i++) {
            parts.add(i == at ? value : AmqpCodec.encode(fields.get(i)));
        }
        byte[] all = AmqpBytes.joined(parts);
        byte[] start = ByteBuffer.allocate(12)
                .put(new byte[] {0, 0x53, (byte) code, LIST})
                .putInt(4 + all.length)
                .putInt(fields.size())
                .array();
        return AmqpBytes.joined(Arrays.asList(start, all));
    }

    /** A section of a message that holds this. */
    static byte[] section(int code, byte[] value) {
        return AmqpBytes.joined(List.of(new byte[] {0, 0x53, (byte) code}, value));
    }
}
