package dev.waybill.message;

import java.util.Set;

/**
 * An application property of a type that AMQP has and Java has not, as a foreign producer sent it: kept so that it can be sent
 * again as it was. Immutable.
 *
 * @param type the type's name in AMQP 1.0: {@code ubyte}, {@code ushort}, {@code uint} or {@code ulong}, or {@code decimal32},
 *     {@code decimal64} or {@code decimal128}
 * @param text a whole number's digits; a decimal's bits in hexadecimal
 */
public record AmqpValue(String type, String text) {
    private static final Set<String> TYPES =
            Set.of("ubyte", "ushort", "uint", "ulong", "decimal32", "decimal64", "decimal128");

    /** @throws IllegalArgumentException if the type is none of those named */
    public AmqpValue {
        if (!isType(type)) {
            throw new IllegalArgumentException("'" + type + "' is no type of an AmqpValue; there are " + TYPES);
        }
    }

    static boolean isType(String name) {
        return TYPES.contains(name);
    }

    /** The {@link #text()}. */
    @Override
    public String toString() {
        return text;
    }
}
