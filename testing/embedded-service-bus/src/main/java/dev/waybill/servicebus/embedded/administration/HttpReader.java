package dev.waybill.servicebus.embedded.administration;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the requests of one connection, one after another (HTTP/1.1, RFC 9112). */
final class HttpReader {
    private static final int MAX_LINE = 16 * 1024;
    private static final int MAX_HEADERS = 100;
    private static final int MAX_BODY = 1024 * 1024;
    private static final byte[] GO_ON = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final InputStream in;
    private final OutputStream out;

    HttpReader(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** The next request, or null once the client has gone. */
    @Nullable HttpRequest next() throws IOException, BadRequestException {
        String start = line();
        if (start == null) {
            return null;
        }
        String[] parts = start.split(" ", -1);
        if (parts.length != 3 || !parts[2].startsWith("HTTP/1.") || !parts[1].startsWith("/")) {
            throw new BadRequestException(400, "This is no request");
        }
        Map<String, String> headers = headers();
        String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        boolean keepsAlive =
                parts[2].equals("HTTP/1.1") ? !connection.equals("close") : connection.equals("keep-alive");
        return new HttpRequest(parts[0], parts[1], headers, body(headers), keepsAlive);
    }

    private Map<String, String> headers() throws IOException, BadRequestException {
        Map<String, String> headers = new HashMap<>();
        for (String line = required(); !line.isEmpty(); line = required()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || headers.size() == MAX_HEADERS) {
                throw new BadRequestException(400, "The headers cannot be read");
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private byte[] body(Map<String, String> headers) throws IOException, BadRequestException {
        boolean chunked = headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .contains("chunked");
        int length = chunked ? 0 : size(headers.getOrDefault("content-length", "0"), 10);
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            out.write(GO_ON);
            out.flush();
        }
        return chunked ? chunks() : exactly(length);
    }

    private byte[] chunks() throws IOException, BadRequestException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = size(required().split(";", 2)[0].strip(), 16);
            if (size == 0) {
                break;
            }
            size(Integer.toString(body.size() + size), 10);
            body.writeBytes(exactly(size));
            required();
        }
        while (!required().isEmpty()) {
            // Trailers say nothing about entities.
        }
        return body.toByteArray();
    }

    private static int size(String text, int radix) throws BadRequestException {
        try {
            int size = Integer.parseInt(text, radix);
            if (size >= 0 && size <= MAX_BODY) {
                return size;
            }
        } catch (NumberFormatException e) {
            throw new BadRequestException(400, "This is no length: " + text);
        }
        throw new BadRequestException(413, "The request's body is too large");
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The client left within a request");
        }
        return bytes;
    }

    private String required() throws IOException, BadRequestException {
        String line = line();
        if (line == null) {
            throw new EOFException("The client left within a request");
        }
        return line;
    }

    private @Nullable String line() throws IOException, BadRequestException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return null;
            }
            if (line.size() == MAX_LINE) {
                throw new BadRequestException(431, "A line is too long");
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
