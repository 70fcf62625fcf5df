package shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.relay.Publisher;
import dev.waybill.test.publisher.PublisherSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server that takes messages, refuses some, fails, or keeps silent. */
final class Endpoint implements PublisherSetup {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private volatile BrokerState state = BrokerState.AVAILABLE;

    Endpoint() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/orders", this::take);
        server.setExecutor(threads);
        server.start();
    }

    URI address() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/orders");
    }

    private void take(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        switch (state) {
            case SILENT -> {
                return;
            }
            case UNAVAILABLE -> exchange.sendResponseHeaders(500, -1);
            case AVAILABLE -> exchange.sendResponseHeaders(store(exchange), -1);
        }
        exchange.close();
    }

    private int store(HttpExchange exchange) {
        String id = exchange.getRequestHeaders().getFirst("Message-Id");
        if (refused.contains(id)) {
            return 422;
        }
        arrived.add(id);
        return 204;
    }

    @Override
    public Publisher publisher() {
        return new HttpPublisher(address(), Duration.ofSeconds(1));
    }

    @Override
    public List<String> arrived() {
        return List.copyOf(arrived);
    }

    @Override
    public void refuse(String messageId) {
        refused.add(messageId);
    }

    @Override
    public void become(BrokerState next) {
        state = next;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
