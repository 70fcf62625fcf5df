package dev.waybill.servicebus.embedded.transport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class WebSocketHandshake {
    /** The WebSocket path of Service Bus. */
    private static final String PATH = "/$servicebus/websocket";

    private static final String END = "\r\n\r\n";
    /** RFC 6455, 1.3. */
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final boolean accepted;
    private final byte[] answer;

    private WebSocketHandshake(boolean accepted, byte[] answer) {
        this.accepted = accepted;
        this.answer = answer;
    }

    boolean accepted() {
        return accepted;
    }

    byte[] answer() {
        return answer;
    }

    /** Reads a complete request and positions the buffer after it; otherwise returns null and changes nothing. */
    static @Nullable WebSocketHandshake read(ByteBuffer received) {
        byte[] bytes = new byte[received.position()];
        received.duplicate().flip().get(bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(END);
        if (end < 0) {
            return null;
        }
        received.flip();
        received.position(end + END.length());
        return answer(text.substring(0, end).split("\r\n", -1));
    }

    private static WebSocketHandshake answer(String[] lines) {
        Map<String, String> headers = new HashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        String key = headers.get("sec-websocket-key");
        if (key == null || !asksFor(lines[0].split(" ", -1))) {
            return new WebSocketHandshake(
                    false, ascii("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close" + END));
        }
        String protocol = headers.getOrDefault("sec-websocket-protocol", "")
                .split(",", 2)[0]
                .strip();
        String answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accept(key)
                + (protocol.isEmpty() ? "" : "\r\nSec-WebSocket-Protocol: " + protocol) + END;
        return new WebSocketHandshake(true, ascii(answer));
    }

    // Azure's client for Java sends an absolute URI, as to a proxy.
    private static boolean asksFor(String[] request) {
        String target = request.length > 1 ? request[1].toLowerCase(Locale.ROOT) : "";
        int authority = target.indexOf("://");
        int path = authority < 0 ? 0 : target.indexOf('/', authority + 3);
        return path >= 0 && target.startsWith(PATH, path);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String accept(String key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder().encodeToString(digest.digest(ascii(key + MAGIC)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }
}
