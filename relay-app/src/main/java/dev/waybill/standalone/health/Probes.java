package dev.waybill.standalone.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Serves {@code /livez} (the process answers; nothing else is asked), {@code /startupz} (every relay has started once),
 * {@code /readyz} (databases and brokers answer; a relay without buckets is ready too) and {@code /metrics}.
 */
public final class Probes implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_ALLOWED = 405;

    private final HttpServer server;
    private final ExecutorService threads;

    private Probes(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts to serve.
     *
     * @param port 0 for any free one
     * @throws UncheckedIOException if the port is taken
     */
    public static Probes serve(String bind, int port, Vitals vitals, Supplier<String> metrics) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(bind, port), 0);
            // Two, so that a probe need not wait for a scrape.
            ExecutorService threads = Executors.newFixedThreadPool(2, work -> {
                var thread = new Thread(work, "waybill-probes");
                thread.setDaemon(true);
                return thread;
            });
            server.setExecutor(threads);
            server.createContext("/livez", exchange -> answer(exchange, List.of(new Check("process", true, "alive"))));
            server.createContext("/startupz", exchange -> answer(exchange, vitals.startup()));
            server.createContext("/readyz", exchange -> answer(exchange, vitals.readiness()));
            server.createContext(
                    "/metrics", exchange -> send(exchange, OK, "text/plain; version=0.0.4", metrics.get()));
            server.start();
            return new Probes(server, threads);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Probes cannot be served on " + bind + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /** The port that is served. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static void answer(HttpExchange exchange, List<Check> checks) throws IOException {
        boolean ok = checks.stream().allMatch(Check::ok);
        String rows = checks.stream()
                .map(check -> "{\"name\":" + quoted(check.name()) + ",\"ok\":" + check.ok() + ",\"detail\":"
                        + quoted(check.detail()) + "}")
                .collect(Collectors.joining(","));
        String body = "{\"status\":\"" + (ok ? "ok" : "unavailable") + "\",\"checks\":[" + rows + "]}\n";
        send(exchange, ok ? OK : UNAVAILABLE, "application/json", body);
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        try (exchange) {
            boolean get = exchange.getRequestMethod().equals("GET");
            byte[] bytes = get ? body.getBytes(StandardCharsets.UTF_8) : new byte[0];
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(get ? status : NOT_ALLOWED, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else {
                quoted.append(c < ' ' ? ' ' : (char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
