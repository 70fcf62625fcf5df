package dev.waybill.servicebus.receiver;

import dev.waybill.message.AmqpValue;
import dev.waybill.message.Headers;
import dev.waybill.servicebus.AmqpTypes;
import java.math.BigInteger;

/** Converts AMQP types that Java lacks to values for handlers and holds; rare types become text. */
final class ForeignTypes {
    private ForeignTypes() {}

    static Object received(Object sent) {
        Object value = AmqpTypes.fromSdk(sent);
        if (value instanceof AmqpValue foreign) {
            return received(foreign, sent);
        }
        return Headers.hasForm(value) ? value : value.toString();
    }

    private static Object received(AmqpValue value, Object sent) {
        return switch (value.type()) {
            case "ubyte", "ushort", "uint", "ulong" -> whole(value);
            case "decimal128" -> value;
            default -> sent.toString();
        };
    }

    private static Object whole(AmqpValue value) {
        var number = new BigInteger(value.text());
        return number.bitLength() < Long.SIZE ? number.longValue() : value;
    }
}
