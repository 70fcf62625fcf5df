package dev.waybill.servicebus;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.message.AmqpValue;
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

/**
 * Converts application properties between Waybill and the Azure SDK. AMQP types that Java lacks, such as a .NET producer's
 * {@code uint} and {@code decimal}, become an {@link AmqpValue}. A decimal keeps its bits, because .NET does not encode it by
 * IEEE 754 (azure-amqp, DecimalEncoding.cs).
 */
public final class AmqpTypes {
    private AmqpTypes() {}

    /** Any body as a text for a person. */
    public static String shown(ServiceBusReceivedMessage message) {
        AmqpMessageBody body = message.getRawAmqpMessage().getBody();
        return switch (body.getBodyType()) {
            case VALUE -> String.valueOf(body.getValue());
            case SEQUENCE -> String.valueOf(body.getSequence());
            default -> message.getBody().toString();
        };
    }

    /** Throws an {@link IllegalArgumentException} if an {@link AmqpValue} does not fit its type. */
    public static Object toSdk(Object value) {
        if (value instanceof Instant instant) {
            return Date.from(instant);
        } else if (value instanceof byte[] bytes) {
            return new Binary(bytes);
        }
        return value instanceof AmqpValue foreign ? foreign(foreign) : value;
    }

    /** Values of other types stay unchanged. */
    public static Object fromSdk(Object value) {
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

    private static Object foreign(AmqpValue value) {
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

    private static byte[] bytes(Binary binary) {
        byte[] bytes = new byte[binary.getLength()];
        binary.asByteBuffer().get(bytes);
        return bytes;
    }
}
