package dev.waybill.relay.servicebus;

import dev.waybill.outbox.AmqpValue;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;

/** Application properties as the SDK encodes them: what Java has no type for is given in the AMQP library's own classes. */
final class AmqpTypes {
    private AmqpTypes() {}

    /** @throws IllegalArgumentException if a value does not fit its type */
    static Object of(Object value) {
        if (value instanceof Instant instant) {
            return Date.from(instant);
        } else if (value instanceof byte[] bytes) {
            return new Binary(bytes);
        }
        return value instanceof AmqpValue foreign ? of(foreign) : value;
    }

    private static Object of(AmqpValue value) {
        String text = value.text();
        return switch (value.type()) {
            case "ubyte" -> UnsignedByte.valueOf(text);
            case "ushort" -> UnsignedShort.valueOf(text);
            case "uint" -> UnsignedInteger.valueOf(text);
            case "ulong" -> UnsignedLong.valueOf(new BigInteger(text));
            case "decimal32" -> new Decimal32(HexFormat.fromHexDigits(text));
            case "decimal64" -> new Decimal64(HexFormat.fromHexDigitsToLong(text));
            default -> new Decimal128(bits(text));
        };
    }

    private static byte[] bits(String text) {
        byte[] bits = HexFormat.of().parseHex(text);
        if (bits.length != 2 * Long.BYTES) {
            throw new IllegalArgumentException("A decimal128 has 32 hexadecimal digits, not '" + text + "'");
        }
        return bits;
    }
}
