package dev.waybill.standalone.topology;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stands between the administration client and the broker, and does to requests what networks and other clients do. */
final class AdministrationProxy implements AutoCloseable {
    private static final Set<String> OWN = Set.of("host", "connection", "content-length", "upgrade", "http2-settings");
    private static final int CONFLICT = 409;
    private static final int REFUSED = 400;

    private final HttpServer server;
    private final URI broker;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Write> writes = new CopyOnWriteArrayList<>();
    private volatile Function<Write, Fate> fates = write -> Fate.REACHES;
    private volatile UnaryOperator<String> reading = UnaryOperator.identity();

    AdministrationProxy(int brokerPort) throws IOException {
        broker = URI.create("http://127.0.0.1:" + brokerPort);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Everything that was to be written so far. */
    List<Write> writes() {
        return List.copyOf(writes);
    }

    /** Decides about each write; may block. */
    void onWrite(Function<Write, Fate> next) {
        fates = next;
    }

    /** Changes what is read. */
    void reading(UnaryOperator<String> change) {
        reading = change;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("GET")) {
                HttpResponse<String> answer = forward(exchange, body);
                reply(exchange, answer.statusCode(), reading.apply(answer.body()));
            } else {
                write(exchange, body);
            }
        }
    }

    private void write(HttpExchange exchange, byte[] body) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(1);
        var write = new Write(exchange.getRequestMethod(), path, new String(body, StandardCharsets.UTF_8));
        writes.add(write);
        switch (fates.apply(write)) {
            case REACHES -> {
                HttpResponse<String> answer = forward(exchange, body);
                reply(exchange, answer.statusCode(), answer.body());
            }
            case REPLY_LOST -> forward(exchange, body);
            case CONFLICT ->
                reply(exchange, CONFLICT, "<Error><Code>409</Code><Detail>SubCode=40901.</Detail></Error>");
            case REFUSED -> reply(exchange, REFUSED, "<Error><Code>400</Code><Detail>SubCode=40000.</Detail></Error>");
        }
    }

    private HttpResponse<String> forward(HttpExchange exchange, byte[] body) throws IOException {
        URI asked = exchange.getRequestURI();
        var request = HttpRequest.newBuilder(broker.resolve(asked.getRawPath() + "?" + asked.getRawQuery()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/atom+xml;type=entry;charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** Something that was to be written. */
    record Write(String method, String path, String body) {}

    /** The fate of a write. */
    enum Fate {
        /** The broker has it, and its answer comes back. */
        REACHES,
        /** The broker has it, and nobody hears of it. */
        REPLY_LOST,
        /** Somebody else changes the entity just now. */
        CONFLICT,
        /** The broker will not have it. */
        REFUSED
    }
}
