package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.service.RelayService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Relay processes in this JVM, with a database role of their own, as Prometheus sees them. */
final class MonitoredRelay implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession())
            .queue("notes", queue -> queue)
            .start();
    final TestDatabase database;
    final SchemaName schema;
    final DSLContext dsl;
    final Outbox outbox;
    final String role;
    private final Path directory;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<RelayService> services = new ArrayList<>();

    MonitoredRelay(TestDatabase database, Path directory) throws SQLException {
        this.database = database;
        this.directory = directory;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder().schema(schema).build();
        role = database.schema() + "_relay";
        database.execute("create role " + role + " login");
        database.execute(Role.RELAY.grants(schema, role, Feature.all()));
    }

    /** Starts one more, and waits until it has read its first figures. */
    RelayService start(String instance) throws IOException {
        return start(instance, "[]");
    }

    RelayService start(String instance, String collect) throws IOException {
        Path file = directory.resolve(instance + ".yaml");
        Files.writeString(file, """
                instance: %s
                database: { main: { url: "%s", user: %s, schema: %s, collect: %s } }
                namespace: { main: { connection-string: "%s" } }
                destination: { orders: { sessions: true }, notes: {} }
                relay: { lease-duration: 2s, send-deadline: 3s }
                http: { port: 0, bind: 127.0.0.1 }
                metrics: { interval: 200ms }
                """.formatted(instance, url(), role, schema.value(), collect, bus.connectionString()));
        var nothing = new ProcessEnvironment(Map.of(), Map.of());
        RelayService service =
                RelayService.start(Configuration.of(Sources.of(Map.of(), nothing, Optional.of(file))), sends -> sends);
        services.add(service);
        await().atMost(PATIENCE)
                .until(() -> value(service, "waybill_outbox_relay_working").equals(List.of(1.0)));
        return service;
    }

    private String url() {
        return database.server().jdbcUrl().replaceAll("([?&])user=[^&]*&?", "$1");
    }

    ServiceBusClientBuilder clients() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    void append(String destination, String session, String id) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), message(destination, session, id)));
    }

    private static OutboxMessage message(String destination, String session, String id) {
        var message = OutboxMessage.to(destination).id(id).text(id);
        return (session.isEmpty() ? message : message.session(session)).build();
    }

    void stop(RelayService service) {
        services.remove(service);
        service.stop();
    }

    /** The samples that one of them tells. */
    List<Sample> scrape(RelayService service) {
        return Sample.of(get(service, "/metrics").body());
    }

    HttpResponse<String> get(RelayService service, String path) {
        try {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The values of one metric that one of them tells. */
    List<Double> value(RelayService service, String metric) {
        return scrape(service).stream()
                .filter(sample -> sample.name().equals(metric))
                .map(Sample::value)
                .toList();
    }

    /** The samples that all of them tell together. */
    List<Sample> scrape() {
        return services.stream().flatMap(service -> scrape(service).stream()).toList();
    }

    /** Waits until a rule fires for a series with that label. */
    void awaitFiring(String rule, String label, String value) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(AlertRule.named(rule).firing(scrape()))
                        .as(rule + ", alarms of the database: "
                                + dsl.fetch("select * from " + schema.table("relay_alarm")))
                        .anySatisfy(labels -> assertThat(labels).containsEntry(label, value)));
    }

    /** Waits until it fires for none. */
    void awaitQuiet(String rule, String label, String value) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(AlertRule.named(rule).firing(scrape()))
                        .noneSatisfy(labels -> assertThat(labels).containsEntry(label, value)));
    }

    @Override
    public void close() throws SQLException {
        services.forEach(RelayService::stop);
        bus.close();
        database.execute("drop owned by " + role + "; drop role " + role);
    }
}
