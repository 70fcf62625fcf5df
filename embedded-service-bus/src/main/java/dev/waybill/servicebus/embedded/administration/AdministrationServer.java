package dev.waybill.servicebus.embedded.administration;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Takes requests over HTTP, one after another. */
public final class AdministrationServer implements AutoCloseable {
    private static final int MAX_BODY_BYTES = 1024 * 1024;

    private final HttpServer server;
    private final ExecutorService executor;
    private final EventLoop loop;
    private final AdministrationApi api;

    /** Listens on a port; 0 means any free one. */
    public AdministrationServer(Namespace namespace, InetAddress address, int port) throws IOException {
        this.loop = namespace.context().loop();
        this.api = new AdministrationApi(
                namespace, Instant.ofEpochMilli(loop.clock().wallMillis()));
        this.server = HttpServer.create(new InetSocketAddress(address, port), 0);
        this.executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "embedded-service-bus-administration");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(executor);
        server.createContext("/", this::handle);
        server.start();
    }

    /** The port it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply = answer(exchange);
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/atom+xml;type=entry;charset=utf-8");
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        }
    }

    private Reply answer(HttpExchange exchange) throws IOException {
        byte[] bytes = body(exchange);
        if (bytes.length > MAX_BODY_BYTES) {
            return Reply.error(413, "The request's body is too large");
        }
        try {
            Request request = request(exchange, bytes.length == 0 ? null : XmlElement.parse(bytes));
            return loop.call(() -> api.handle(request));
        } catch (IllegalArgumentException e) {
            return Reply.error(400, "" + e.getMessage());
        }
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        try (InputStream in = exchange.getRequestBody()) {
            return in.readNBytes(MAX_BODY_BYTES + 1);
        }
    }

    private Request request(HttpExchange exchange, @Nullable XmlElement body) {
        URI uri = exchange.getRequestURI();
        List<String> path = new ArrayList<>();
        for (String segment : uri.getRawPath().split("/", -1)) {
            if (!segment.isEmpty()) {
                path.add(URLDecoder.decode(segment, StandardCharsets.UTF_8));
            }
        }
        String host = exchange.getRequestHeaders().getFirst("Host");
        boolean update = exchange.getRequestHeaders().containsKey("If-Match");
        return new Request(
                exchange.getRequestMethod(),
                "https://" + (host == null ? "localhost" : host),
                path,
                parameters(uri.getQuery()),
                update,
                Instant.ofEpochMilli(loop.clock().wallMillis()),
                body);
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            int at = pair.indexOf('=');
            if (at > 0) {
                parameters.put(pair.substring(0, at), pair.substring(at + 1));
            }
        }
        return parameters;
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdown();
    }
}
