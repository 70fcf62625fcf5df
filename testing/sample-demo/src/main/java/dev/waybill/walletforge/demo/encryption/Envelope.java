package dev.waybill.walletforge.demo.encryption;

import dev.waybill.outbox.PayloadCodec.Received;
import dev.waybill.walletforge.demo.encryption.KeyEncryption.WrappedKey;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application properties that stand beside an encrypted body: everybody may read them, and nobody may change them.
 *
 * @param destination for which the message was written
 */
record Envelope(WrappedKey wrapped, String destination) {
    /** The version of all this; whoever changes the algorithm or what is bound gives it another. */
    private static final String VERSION = "AES-256-GCM/1";

    private static final String ENCRYPTION = "encryption";
    private static final String KEY = "encryption-key";
    private static final String DATA_KEY = "encryption-data-key";
    private static final String DESTINATION = "encryption-for";

    /** Whether a message claims to be encrypted. */
    static boolean isOn(Received message) {
        return message.headers().containsKey(ENCRYPTION);
    }

    static Envelope of(Received message) {
        String version = text(message, ENCRYPTION);
        if (!version.equals(VERSION)) {
            // Perhaps a newer writer's: not for good, as a newer consumer may come.
            throw new IllegalStateException("Message '" + message.id() + "' is encrypted by '" + version
                    + "', which this version of the program cannot read");
        }
        try {
            byte[] dataKey = Base64.getDecoder().decode(text(message, DATA_KEY));
            return new Envelope(new WrappedKey(text(message, KEY), dataKey), text(message, DESTINATION));
        } catch (IllegalArgumentException e) {
            throw new TamperedMessageException("Message '" + message.id() + "' has a data key that is no Base64", e);
        }
    }

    private static String text(Received message, String header) {
        if (message.headers().get(header) instanceof String text) {
            return text;
        }
        throw new TamperedMessageException(
                "Message '" + message.id() + "' has no text in its property '" + header + "'", null);
    }

    Map<String, String> headers() {
        var headers = new LinkedHashMap<String, String>();
        headers.put(ENCRYPTION, VERSION);
        headers.put(KEY, wrapped.keyId());
        headers.put(DATA_KEY, Base64.getEncoder().encodeToString(wrapped.bytes()));
        headers.put(DESTINATION, destination);
        return headers;
    }

    /**
     * The texts that the body's authentication covers besides the body; each with its length, so that none can move.
     */
    byte[] bound(String id, @Nullable String session, @Nullable String subject, @Nullable String contentType) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            write(out, VERSION);
            write(out, wrapped.keyId());
            out.writeInt(wrapped.bytes().length);
            out.write(wrapped.bytes());
            write(out, destination);
            write(out, id);
            write(out, session);
            write(out, subject);
            write(out, contentType);
        } catch (IOException e) {
            throw new UncheckedIOException("Bytes in memory could not be written", e);
        }
        return bytes.toByteArray();
    }

    // An empty text and none at all are one and the same on some brokers' wires.
    private static void write(DataOutputStream out, @Nullable String text) throws IOException {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
