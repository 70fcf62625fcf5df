package dev.waybill.message;

import java.util.Set;

/**
 * An application property of an AMQP type that Java lacks, kept so that it can be sent again unchanged. Immutable.
 *
 * @param type {@code ubyte}, {@code ushort}, {@code uint}, {@code ulong}, {@code decimal32}, {@code decimal64} or
 * {@code decimal128}
 * @param text the digits of an integer; the bits of a decimal in hexadecimal
 */
public record AmqpValue(String type, String text) {
    private static final Set<String> TYPES =
            Set.of("ubyte", "ushort", "uint", "ulong", "decimal32", "decimal64", "decimal128");

    /** @throws IllegalArgumentException if the type is none of those named */
    public AmqpValue {
        if (!isType(type)) {
            throw new IllegalArgumentException("'" + type + "' is not a type of AmqpValue; the types are " + TYPES);
        }
    }

    static boolean isType(String name) {
        return TYPES.contains(name);
    }

    @Override
    public String toString() {
        return text;
    }
}
