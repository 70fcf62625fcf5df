package dev.waybill.deadletter.servicebus;

import dev.waybill.outbox.AmqpValue;
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

/**
 * What the SDK gives for properties whose types Java has not, such as a .NET producer's {@code uint} and {@code decimal}: the
 * AMQP library's own classes. A decimal is kept by its bits, because .NET's are not what IEEE 754 means by them
 * (azure-amqp, DecimalEncoding.cs).
 */
final class ForeignTypes {
    private ForeignTypes() {}

    /** The value that keeps the type; what is not foreign stays as it is. */
    static Object kept(Object value) {
        if (value instanceof Date date) {
            return date.toInstant();
        } else if (value instanceof Binary binary) {
            return bytes(binary);
        } else if (value instanceof UnsignedByte) {
            return new AmqpValue("ubyte", value.toString());
        } else if (value instanceof UnsignedShort) {
            return new AmqpValue("ushort", value.toString());
        } else if (value instanceof UnsignedInteger) {
            return new AmqpValue("uint", value.toString());
        } else if (value instanceof UnsignedLong) {
            return new AmqpValue("ulong", value.toString());
        } else if (value instanceof Decimal32 decimal) {
            return new AmqpValue("decimal32", HexFormat.of().toHexDigits(decimal.getBits()));
        } else if (value instanceof Decimal64 decimal) {
            return new AmqpValue("decimal64", HexFormat.of().toHexDigits(decimal.getBits()));
        } else if (value instanceof Decimal128 decimal) {
            return new AmqpValue("decimal128", HexFormat.of().formatHex(decimal.asBytes()));
        }
        return value;
    }

    private static byte[] bytes(Binary binary) {
        byte[] bytes = new byte[binary.getLength()];
        binary.asByteBuffer().get(bytes);
        return bytes;
    }
}
