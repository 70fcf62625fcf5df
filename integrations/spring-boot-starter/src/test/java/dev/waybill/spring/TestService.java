package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.jdbc.core.JdbcTemplate;

/** One database and one broker for all tests of the module. Each test takes queues of its own. */
public final class TestService implements AutoCloseable {
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private final PostgresServer server = PostgresServer.start();
    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder().start();
    private final String application = "starter_" + ProcessHandle.current().pid();
    private final HikariDataSource pool = newPool(config -> config);
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);

    private TestService() {
        jdbc.execute("create schema " + application);
        jdbc.execute("create table booking (id bigint generated always as identity primary key, what text not null)");
        Migrations.of(pool, schema()).apply(Feature.all());
    }

    /** Where Waybill's tables are. */
    public SchemaName schema() {
        return new SchemaName(application + "_waybill");
    }

    /** Where the application's tables are: {@code booking}. */
    public String application() {
        return application;
    }

    /** The pool that tests share. */
    public HikariDataSource pool() {
        return pool;
    }

    /** Another pool, of up to 20 connections. */
    public HikariDataSource newPool(UnaryOperator<HikariConfig> change) {
        var config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl());
        config.setMaximumPoolSize(20);
        return new HikariDataSource(change.apply(config));
    }

    /** The database, with the application's schema. */
    public String jdbcUrl() {
        String url = server.jdbcUrl();
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + application;
    }

    public EmbeddedServiceBus bus() {
        return bus;
    }

    /** A connection to the broker. */
    public ServiceBusClientBuilder client() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    /** A queue that no other test uses. */
    public String newQueue() {
        String name = "q" + QUEUES.incrementAndGet();
        bus.createQueue(name, queue -> queue);
        return name;
    }

    /** Sends a message by the SDK, as a producer without Waybill does. */
    public void send(String queue, String id, String body) {
        try (var sender = client().sender().queueName(queue).buildClient()) {
            sender.sendMessage(new ServiceBusMessage(body).setMessageId(id));
        }
    }

    /** Waits until so many messages have come to a queue, and all have left it in some way. */
    public void awaitSettled(String queue, int count) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(bus.journal(queue).storedCount()).isEqualTo(count);
            assertThat(bus.inspect(queue).active()).isZero();
        });
    }

    /** Messages in the dead-letter queue. */
    public long deadLetters(String queue) {
        return bus.inspect(queue).deadLetters();
    }

    /** The bookings whose names begin so, in order. */
    public List<String> bookings(String prefix) {
        return jdbc.queryForList("select what from booking where what like ? order by id", String.class, prefix + "%");
    }

    /** How many messages wait in the outbox for a destination, or have been sent. */
    public int appended(String destination) {
        Integer count = jdbc.queryForObject(
                "select count(*) from " + schema().table("outbox_message") + " where destination = ?",
                Integer.class,
                destination);
        return count == null ? 0 : count;
    }

    @Override
    public void close() {
        jdbc.execute("drop schema " + application + " cascade");
        jdbc.execute("drop schema " + schema() + " cascade");
        pool.close();
        bus.close();
        server.close();
    }

    /** Gives tests the service. */
    public static final class Extension implements ParameterResolver {
        private static final Namespace NAMESPACE = Namespace.create(TestService.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == TestService.class;
        }

        @Override
        public TestService resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(NAMESPACE)
                    .getOrComputeIfAbsent(Held.class, type -> new Held(new TestService()), Held.class)
                    .service();
        }

        // JUnit closes it after the last test.
        private record Held(TestService service) implements AutoCloseable {
            @Override
            public void close() {
                service.close();
            }
        }
    }
}
