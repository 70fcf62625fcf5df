package dev.waybill.message;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decodes bodies without replacing what cannot be decoded. */
public final class BodyText {
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\";\\s]+)\"?", Pattern.CASE_INSENSITIVE);

    private static final byte[] NAMESPACE = "http".getBytes(StandardCharsets.US_ASCII);

    private BodyText() {}

    /** By the charset of the content type, else a byte order mark, else UTF-8, which has no NUL then. Without the mark. */
    public static String of(byte[] body, @Nullable String contentType) {
        if (isEnvelope(body)) {
            throw new UnreadableBodyException(
                    "The body is the binary XML of a .NET DataContractSerializer, as the client"
                            + " WindowsAzure.ServiceBus sends it; decode it with a PayloadCodec");
        }
        @Nullable Charset marked = marked(body);
        Charset charset = charset(contentType, marked);
        String text = decoded(body, charset);
        if (marked == null && text.indexOf('\0') >= 0 && !named(contentType).find()) {
            throw new UnreadableBodyException("The body has a NUL character, as texts in UTF-16 and UTF-32 have in "
                    + charset.name() + "; let the content type name the charset");
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** Whether {@link #of} reads UTF-8 by this content type; false for a charset that Java lacks. */
    public static boolean isUtf8(@Nullable String contentType) {
        try {
            return charset(contentType, null).equals(StandardCharsets.UTF_8);
        } catch (UnreadableBodyException e) {
            return false;
        }
    }

    /** The content type of a body whose text was encoded anew, in UTF-8: without the name of another charset. */
    public static @Nullable String utf8(@Nullable String contentType) {
        return contentType == null || isUtf8(contentType)
                ? contentType
                : CHARSET.matcher(contentType).replaceFirst("; charset=utf-8");
    }

    private static Matcher named(@Nullable String contentType) {
        return CHARSET.matcher(contentType == null ? "" : contentType);
    }

    private static Charset charset(@Nullable String contentType, @Nullable Charset marked) {
        Matcher named = named(contentType);
        if (!named.find()) {
            return marked == null ? StandardCharsets.UTF_8 : marked;
        }
        try {
            Charset charset = Charset.forName(named.group(1));
            return charset.equals(StandardCharsets.UTF_16) ? byteOrder(contentType, marked) : charset;
        } catch (IllegalArgumentException e) {
            throw new UnreadableBodyException("The content type '" + contentType + "' names the charset '"
                    + named.group(1) + "', which Java lacks");
        }
    }

    // Java takes UTF-16 without a mark for big endian, .NET writes it as little endian.
    private static Charset byteOrder(@Nullable String contentType, @Nullable Charset marked) {
        if (marked == null) {
            throw new UnreadableBodyException("The content type '" + contentType
                    + "' leaves the byte order open, and the body has no byte order mark; name utf-16le or utf-16be");
        }
        return marked;
    }

    private static @Nullable Charset marked(byte[] body) {
        if (startsWith(body, 0xEF, 0xBB, 0xBF)) {
            return StandardCharsets.UTF_8;
        }
        if (startsWith(body, 0xFE, 0xFF)) {
            return StandardCharsets.UTF_16BE;
        }
        if (startsWith(body, 0xFF, 0xFE, 0, 0)) {
            return Charset.forName("UTF-32LE");
        }
        return startsWith(body, 0xFF, 0xFE) ? StandardCharsets.UTF_16LE : null;
    }

    private static boolean startsWith(byte[] body, int... start) {
        for (int i = 0; i < start.length; i++) {
            if (body.length <= i || body[i] != (byte) start[i]) {
                return false;
            }
        }
        return true;
    }

    private static String decoded(byte[] body, Charset charset) {
        CharsetDecoder decoder = charset.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(body);
        CharBuffer out = CharBuffer.allocate((int) Math.ceil(body.length * (double) decoder.maxCharsPerByte()));
        try {
            CoderResult result = decoder.decode(in, out, true);
            if (result.isError()) {
                result.throwException();
            }
            decoder.flush(out);
        } catch (CharacterCodingException e) {
            throw new UnreadableBodyException(
                    "The body is no " + charset.name() + " from byte " + in.position() + " of " + body.length + " on");
        }
        return out.flip().toString();
    }

    /** An element of binary XML, such as string or Order, with the namespace of the serializer or of the object's contract. */
    static boolean isEnvelope(byte[] body) {
        int name = body.length > 1 && body[0] == '@' ? body[1] : 0;
        int length = 2 + name + 1;
        return name > 0
                && body.length > length
                && body[length - 1] == 0x08
                // A length beyond 127 takes two bytes.
                && isNamespace(body, body[length] < 0 ? length + 2 : length + 1);
    }

    private static boolean isNamespace(byte[] body, int from) {
        return body.length >= from + NAMESPACE.length
                && Arrays.equals(body, from, from + NAMESPACE.length, NAMESPACE, 0, NAMESPACE.length);
    }
}
