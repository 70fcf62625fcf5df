package dev.waybill.standalone.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Serves {@code /livez} (the process answers), {@code /startupz} (every relay has started once), {@code /readyz} (databases and
 * brokers answer) and {@code /metrics}, and beside them what a scaler asks. A relay without lanes is ready.
 */
public final class Probes implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private static final List<String> READS = List.of("GET", "HEAD");

    private static final String PAGES =
            "There is /livez, /startupz, /readyz, /metrics, /scale/destinations and /scale/sessions?entity=NAME.\n";

    private final HttpServer server;
    private final ProbeThreads threads;

    private Probes(HttpServer server, ProbeThreads threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts the server.
     *
     * @param port 0 for any free port
     * @throws UncheckedIOException if the port is in use
     */
    public static Probes serve(
            String bind, int port, ProcessHealth vitals, Supplier<String> metrics, ScaleQuestions scale) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(bind, port), 0);
            var threads = new ProbeThreads();
            server.setExecutor(threads);
            page(server, "/livez", exchange -> answer(exchange, List.of(new HealthCheck("process", true, "alive"))));
            page(server, "/startupz", exchange -> answer(exchange, vitals.startup()));
            page(server, "/readyz", exchange -> answer(exchange, vitals.readiness()));
            page(server, "/metrics", exchange -> send(exchange, OK, "text/plain; version=0.0.4", metrics.get()));
            page(server, "/scale/destinations", exchange -> answer(exchange, scale.destinations()));
            page(
                    server,
                    "/scale/sessions",
                    exchange -> answer(
                            exchange, scale.sessions(exchange.getRequestURI().getRawQuery())));
            server.start();
            return new Probes(server, threads);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Probes cannot be served on " + bind + ":" + port + ": " + e.getMessage()
                            + (e instanceof BindException
                                    ? "; http.port names another port, http.bind another address"
                                    : ""),
                    e);
        }
    }

    // The JDK's server matches prefixes.
    private static void page(HttpServer server, String path, HttpHandler page) {
        server.createContext(path, exchange -> {
            if (!exchange.getRequestURI().getPath().equals(path)) {
                send(exchange, NOT_FOUND, "text/plain", PAGES);
            } else if (!READS.contains(exchange.getRequestMethod())) {
                exchange.getResponseHeaders().set("Allow", String.join(", ", READS));
                send(exchange, NOT_ALLOWED, "text/plain", "");
            } else {
                page.handle(exchange);
            }
        });
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private static void answer(HttpExchange exchange, List<HealthCheck> checks) throws IOException {
        boolean ok = checks.stream().allMatch(HealthCheck::ok);
        String rows = checks.stream()
                .map(check -> "{\"name\":" + quoted(check.name()) + ",\"ok\":" + check.ok() + ",\"detail\":"
                        + quoted(check.detail()) + "}")
                .collect(Collectors.joining(","));
        String body = "{\"status\":\"" + (ok ? "ok" : "unavailable") + "\",\"checks\":[" + rows + "]}\n";
        send(exchange, ok ? OK : UNAVAILABLE, "application/json", body);
    }

    private static void answer(HttpExchange exchange, ScaleAnswer answer) throws IOException {
        String fields = answer.fields().entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":"
                        + (field.getValue() instanceof String text ? quoted(text) : field.getValue()))
                .collect(Collectors.joining(","));
        send(exchange, answer.status(), "application/json", "{" + fields + "}\n");
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            boolean empty = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(status, empty ? -1 : bytes.length);
            if (!empty) {
                exchange.getResponseBody().write(bytes);
            }
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
