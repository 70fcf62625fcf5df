package dev.waybill.walletforge;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.filter.CorrelationFilter;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.notification.MailDirectory;
import dev.waybill.walletforge.notification.Mailer;
import dev.waybill.walletforge.servicebus.Entities;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The service on a real PostgreSQL and an embedded broker, as a client sees it. Its parts can be stopped one by one. */
final class RunningService implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final Installation installation;
    final EmbeddedServiceBus broker;
    final Path mails;
    private final HikariDataSource pool;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Javalin api;
    private final DeadLetterCollector collector;
    private Relay relay;
    private List<InboxConsumer> consumers = List.of();

    RunningService(PostgresServer server, String schema, Path mails) {
        this.mails = mails;
        broker = broker();
        pool = server.newPool(60);
        var schemas = new ForgeSchemas(new SchemaName(schema + "_app"), new SchemaName(schema));
        installation = Installation.of(pool, schemas, new ServiceBusAddress(broker.connectionString()));
        schemas.migrate(installation.dataSource());
        startRelay();
        collector = WalletService.collector(installation);
        api = WalletService.api(installation).start("127.0.0.1", 0);
    }

    private static EmbeddedServiceBus broker() {
        var customers =
                CorrelationFilter.builder().property("audience", "customer").build();
        return EmbeddedServiceBus.builder()
                .queue(Entities.WALLET_TX, queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
                .topic(
                        Entities.WALLET_EVENTS,
                        topic -> topic.duplicateDetection(Duration.ofMinutes(10))
                                .subscription(Entities.FRAUD, it -> it.sqlRule("large", "amountCents >= 50000"))
                                .subscription(Entities.NOTIFICATIONS, it -> it.rule("customers", customers))
                                .subscription(Entities.LEDGER_ARCHIVE, it -> it.forwardTo(Entities.ARCHIVE))
                                .subscription(Entities.ANALYTICS, it -> it.requiresSession()))
                .queue(Entities.ARCHIVE)
                .queue(Entities.STATEMENTS)
                .start();
    }

    RunningService withConsumers() {
        return withConsumers(new MailDirectory(mails), UnaryOperator.identity());
    }

    RunningService withConsumers(Mailer mailer, UnaryOperator<Handler> around) {
        consumers = WalletService.consumers(installation, mailer, around).stream()
                .map(InboxConsumer.Builder::start)
                .toList();
        return this;
    }

    void stopConsumers() {
        consumers.parallelStream().forEach(InboxConsumer::close);
        consumers = List.of();
    }

    void startRelay() {
        relay = WalletService.relay(installation, Duration.ofSeconds(10))
                .tuning(tuning -> tuning.longestIdle(Duration.ofMillis(20)))
                .start();
    }

    void stopRelay() {
        relay.close();
    }

    /** Sends a request with this key, and returns status and answer. */
    Answer send(String method, String path, String key, String body) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        try {
            var response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            String text = response.body();
            return new Answer(response.statusCode(), text.isEmpty() ? JSON.nullNode() : JSON.readTree(text));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Answer get(String path) {
        return send("GET", path, "", "");
    }

    Answer pay(String key, String wallet, String kind, long cents) {
        return send(
                "POST",
                "/payments",
                key,
                "{\"walletId\":\"%s\",\"kind\":\"%s\",\"amountCents\":%d}".formatted(wallet, kind, cents));
    }

    /** Requests a transfer, and returns its id. */
    String transfer(String key, String from, String to, long cents) {
        String body = "{\"fromWallet\":\"%s\",\"toWallet\":\"%s\",\"amountCents\":%d}".formatted(from, to, cents);
        return send("POST", "/transfers", key, body).json().path("id").asText();
    }

    long balance(String wallet) {
        return get("/wallets/" + wallet).json().path("balanceCents").asLong(-1);
    }

    void awaitBalance(String wallet, long cents) {
        await().atMost(PATIENCE).until(() -> balance(wallet) == cents);
    }

    void awaitState(String transfer, String state) {
        await().atMost(PATIENCE)
                .until(() -> get("/transfers/" + transfer)
                        .json()
                        .path("state")
                        .asText()
                        .equals(state));
    }

    /** A number that the service's tables hold. */
    long count(String table, String condition) {
        return installation
                .dsl()
                .fetchSingle("select count(*) from " + installation.table(table) + " where " + condition)
                .get(0, Long.class);
    }

    long mails() throws IOException {
        try (var files = Files.list(mails)) {
            return files.count();
        }
    }

    @Override
    public void close() {
        api.stop();
        stopConsumers();
        stopRelay();
        collector.close();
        broker.close();
        pool.close();
    }

    record Answer(int status, JsonNode json) {}
}
