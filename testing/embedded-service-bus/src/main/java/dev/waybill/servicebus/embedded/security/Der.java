package dev.waybill.servicebus.embedded.security;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** DER encoding (X.690): tag, length, content. */
final class Der {
    private Der() {}

    static byte[] value(int tag, byte[]... contents) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : contents) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(tag);
        length(whole, content.size());
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }

    private static void length(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
    }

    static byte[] sequence(byte[]... parts) {
        return value(0x30, parts);
    }

    static byte[] set(byte[]... parts) {
        return value(0x31, parts);
    }

    static byte[] integer(BigInteger number) {
        return value(0x02, number.toByteArray());
    }

    static byte[] bits(byte[] content) {
        return value(0x03, new byte[] {0}, content);
    }

    static byte[] octets(byte[] content) {
        return value(0x04, content);
    }

    static byte[] truth() {
        return value(0x01, new byte[] {(byte) 0xFF});
    }

    /** An object identifier from its encoded bytes. */
    static byte[] object(int... encoded) {
        byte[] content = new byte[encoded.length];
        for (int i = 0; i < encoded.length; i++) {
            content[i] = (byte) encoded[i];
        }
        return value(0x06, content);
    }

    static byte[] text(int tag, String text) {
        return value(tag, text.getBytes(StandardCharsets.UTF_8));
    }
}
