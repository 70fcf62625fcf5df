package dev.waybill.servicebus.embedded.amqp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lock tokens as delivery tags: 16 bytes in .NET's order, whose first three groups are little-endian. */
final class LockTokens {
    private LockTokens() {}

    static byte[] toTag(UUID token) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(swapped(token.getMostSignificantBits()))
                .putLong(token.getLeastSignificantBits())
                .array();
    }

    static @Nullable UUID fromTag(byte[] tag) {
        if (tag.length != 16) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(tag);
        return new UUID(swapped(buffer.getLong()), buffer.getLong());
    }

    private static long swapped(long groups) {
        long first = Integer.toUnsignedLong(Integer.reverseBytes((int) (groups >>> 32)));
        long second = Short.toUnsignedLong(Short.reverseBytes((short) (groups >>> 16)));
        long third = Short.toUnsignedLong(Short.reverseBytes((short) groups));
        return first << 32 | second << 16 | third;
    }
}
