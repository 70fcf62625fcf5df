package dev.waybill.inbox.servicebus;

import dev.waybill.outbox.AmqpValue;
import dev.waybill.outbox.Headers;
import java.math.BigInteger;
import java.util.Date;
import java.util.HexFormat;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;

/** Properties of AMQP types that Java has not, as a handler can use them and a hold can keep them; the rarest as text. */
final class ForeignTypes {
    private ForeignTypes() {}

    static Object received(Object value) {
        if (value instanceof Date date) {
            return date.toInstant();
        } else if (value instanceof Binary binary) {
            byte[] bytes = new byte[binary.getLength()];
            binary.asByteBuffer().get(bytes);
            return bytes;
        } else if (value instanceof UnsignedByte
                || value instanceof UnsignedShort
                || value instanceof UnsignedInteger) {
            return ((Number) value).longValue();
        } else if (value instanceof UnsignedLong number) {
            return whole(number.bigIntegerValue());
        } else if (value instanceof Decimal128 decimal) {
            return new AmqpValue("decimal128", HexFormat.of().formatHex(decimal.asBytes()));
        }
        return Headers.hasForm(value) ? value : value.toString();
    }

    private static Object whole(BigInteger number) {
        return number.bitLength() < Long.SIZE ? number.longValue() : new AmqpValue("ulong", number.toString());
    }
}
