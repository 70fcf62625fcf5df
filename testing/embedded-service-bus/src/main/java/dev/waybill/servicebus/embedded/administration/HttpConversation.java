package dev.waybill.servicebus.embedded.administration;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one client, request by request, on a thread of its own. A client that begins with TLS gets it if the broker has
 * an identity, and otherwise the alert that ends its handshake: it would wait for an answer for ever.
 */
final class HttpConversation implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(HttpConversation.class);
    private static final int TLS_HANDSHAKE = 0x16;
    /** A fatal alert: handshake failure. */
    private static final byte[] REFUSAL = {0x15, 3, 1, 0, 2, 2, 40};

    private static final int LAST_WORDS_MILLIS = 1_000;
    private static final int LAST_WORDS_BYTES = 64 * 1024;

    private final Socket socket;
    private final @Nullable SSLContext identity;
    private final Function<HttpRequest, Reply> handler;
    private volatile boolean answering;
    /** When it began to wait for the client: for a request, or for the reader of an answer. */
    private volatile long waitingSince = System.nanoTime();

    HttpConversation(Socket socket, @Nullable SSLContext identity, Function<HttpRequest, Reply> handler) {
        this.socket = socket;
        this.identity = identity;
        this.handler = handler;
    }

    @Override
    public void run() {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            in.mark(1);
            int first = in.read();
            if (first == TLS_HANDSHAKE) {
                secured(in);
            } else if (first >= 0) {
                in.reset();
                converse(in, socket.getOutputStream());
            }
        } catch (IOException e) {
            log.debug("An administration client disconnected: {}", e.toString());
        }
    }

    private void secured(InputStream in) throws IOException {
        if (identity == null) {
            socket.getOutputStream().write(REFUSAL);
            socket.shutdownOutput();
            // Bytes left unread would make the system take the alert back.
            socket.setSoTimeout(LAST_WORDS_MILLIS);
            in.readNBytes(LAST_WORDS_BYTES);
            return;
        }
        in.reset();
        byte[] consumed = in.readNBytes(in.available());
        try (SSLSocket secure = (SSLSocket)
                identity.getSocketFactory().createSocket(socket, new ByteArrayInputStream(consumed), true)) {
            converse(new BufferedInputStream(secure.getInputStream()), secure.getOutputStream());
        }
    }

    private void converse(InputStream in, OutputStream out) throws IOException {
        OutputStream answers = new BufferedOutputStream(out);
        HttpReader reader = new HttpReader(in, answers);
        try {
            HttpRequest request = reader.next();
            while (request != null) {
                write(answers, answer(request), request.method(), request.keepsAlive());
                request = request.keepsAlive() ? reader.next() : null;
            }
        } catch (BadRequestException e) {
            write(answers, Reply.error(e.status(), e.getMessage() + ""), "", false);
        }
    }

    private Reply answer(HttpRequest request) {
        answering = true;
        try {
            return handler.apply(request);
        } finally {
            waitingSince = System.nanoTime();
            answering = false;
        }
    }

    /**
     * For how many nanoseconds it has waited for its client by now; negative while a request is being answered.
     */
    long waitedFor(long now) {
        return answering ? -1 : Math.max(0, now - waitingSince);
    }

    /** Ends it, whatever its thread is doing. */
    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("Closing a client's connection failed: {}", e.toString());
        }
    }

    private static void write(OutputStream out, Reply reply, String method, boolean keepsAlive) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + reply.status() + " " + reason(reply.status()) + "\r\n"
                + (body.length == 0 ? "" : "Content-Type: " + reply.type() + "\r\n")
                + "Content-Length: " + body.length + "\r\n"
                + (keepsAlive ? "" : "Connection: close\r\n")
                + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        if (!method.equals("HEAD")) {
            out.write(body);
        }
        out.flush();
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 201 -> "Created";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            default -> "Status";
        };
    }
}
