package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.spring.TestService;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Services that start beside others' tools, without the database, or not at all and with a reason. */
@ExtendWith(TestService.Extension.class)
class StartTest {
    private TestService service;
    private String queue;

    @BeforeEach
    void take_a_queue(TestService service) {
        this.service = service;
        queue = service.newQueue();
    }

    private Apps app() {
        return Apps.on(service);
    }

    /** A consumer whose handler is a bean of its name. */
    private Apps consumer() {
        return app().and(Books.class).with("queue", queue).with("waybill.consumers.books.queue", queue);
    }

    @Test
    void a_service_that_does_not_use_waybill_yet_starts() {
        try (var context =
                app().with("waybill.servicebus.connection-string", "").run()) {
            assertThat(context.getBean(Outbox.class)).isNotNull();
            assertThat(context.getBean(RelayLifecycle.class).isRunning()).isFalse();
        }
    }

    /** Spring Boot drops what is empty, so that the start cannot name the line. */
    @Test
    void a_relay_without_destinations_does_not_fail_to_start_in_silence(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("application.yml");
        Files.writeString(file, "waybill:\n  destinations:\n    " + queue + ": {}\n");

        assertThat(warningsOfNoRelay(app().with("spring.config.location", file.toUri())))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("waybill.destinations names no destination")
                        .contains("waybill.destinations.orders.sessions=true", "drops an entry that is empty")
                        .contains("waybill.relay.enabled=false"));
        assertThat(warningsOfNoRelay(consumer().with("waybill.relay.enabled", "true")))
                .as("beside consumers, where a relay is asked for")
                .hasSize(1);
        assertThat(warningsOfNoRelay(app().with("waybill.relay.enabled", "false")))
                .as("switched off")
                .isEmpty();
        assertThat(warningsOfNoRelay(consumer())).as("consumers alone").isEmpty();
    }

    // Boot takes the appenders away when it sets logging up.
    private static List<String> warningsOfNoRelay(Apps app) {
        var logger = (Logger) LoggerFactory.getLogger(NoRelay.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        try {
            app.builder()
                    .initializers(context -> logger.addAppender(lines))
                    .run()
                    .close();
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream()
                .filter(line -> line.getLevel().equals(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void a_service_without_flyway_on_its_class_path_starts() {
        var loader = new Hiding(List.of("org.flywaydb.", "dev.waybill.migrations."));
        try (var context = consumer()
                .builder()
                .resourceLoader(new DefaultResourceLoader(loader))
                .run()) {
            assertThat(context.containsBean("waybillFlywayMigrationStrategy")).isFalse();
            service.send(queue, "m1", "a");
            service.awaitSettled(queue, 1);
        }
    }

    @Test
    void waybills_flyway_is_not_in_the_way_of_a_service_with_liquibase() {
        String changeLog = "classpath:liquibase.xml";
        try (var context = app().with("spring.liquibase.enabled", "true")
                .with("spring.liquibase.change-log", changeLog)
                .run()) {
            assertThat(tables(context.getBean(JdbcTemplate.class)))
                    .contains("databasechangelog", "made_by_liquibase")
                    .doesNotContain("flyway_schema_history");
        }
    }

    /** The same without Waybill's part in it, as it was: the service does not start. */
    @Test
    void without_that_boots_flyway_refuses_the_schema() {
        Apps app = app();
        app.with(
                "spring.autoconfigure.exclude",
                "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
                        + WaybillFlywayAutoConfiguration.class.getName());

        assertThatThrownBy(() -> app.run().close()).hasStackTraceContaining("no schema history table");
    }

    @Test
    void a_services_own_flyway_migrations_are_applied_as_before() {
        String schema = service.application() + "_flyway";
        try (var context = app().with("spring.flyway.locations", "classpath:flyway")
                .with("spring.flyway.default-schema", schema)
                .with("spring.flyway.create-schemas", "true")
                .run()) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForList(
                            "select table_name from information_schema.tables where table_schema = ?",
                            String.class,
                            schema))
                    .contains("flyway_schema_history", "made_by_flyway");
            jdbc.execute("drop schema " + schema + " cascade");
        }
    }

    @Test
    void tables_are_applied_where_that_is_asked_for_and_else_missed_with_a_reason() {
        String schema = service.application() + "_fresh";
        Apps fresh = consumer().with("waybill.schema", schema);

        assertThatThrownBy(() -> fresh.run().close())
                .hasStackTraceContaining("There is no table inbox_message in schema");
        assertThatThrownBy(
                        () -> fresh.with("waybill.migrations", "validate").run().close())
                .hasStackTraceContaining("Set waybill.migrations=apply, or run 'waybill-relay migrate up")
                .hasStackTraceContaining("Validate failed");
        new JdbcTemplate(service.pool()).execute("create schema " + schema);
        assertThatThrownBy(() -> fresh.run().close())
                .as("a schema without tables")
                .hasStackTraceContaining("Set waybill.migrations=apply, or run 'waybill-relay migrate up");
        try (var context = fresh.with("waybill.migrations", "apply").run()) {
            service.send(queue, "m1", "a");
            service.awaitSettled(queue, 1);
            context.getBean(JdbcTemplate.class).execute("drop schema " + schema + " cascade");
        }
    }

    @Test
    @Tag("long")
    void a_database_that_is_away_at_the_start_is_waited_for_in_the_background() {
        URI url = URI.create(service.jdbcUrl().substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(1)) {
            String detour = service.jdbcUrl().replace(url.getHost() + ":" + url.getPort(), "127.0.0.1:" + proxy.port());
            try (var context = consumer()
                    .with("spring.datasource.url", detour)
                    .with("spring.flyway.enabled", "false")
                    .with("spring.datasource.hikari.connection-timeout", "1000")
                    .with("waybill.destinations." + queue + ".sessions", "false")
                    .with("waybill.migrations", "validate")
                    .run()) {
                var health = context.getBean(WaybillHealth.class);
                assertThat(health.states().toString()).contains("relay=waiting", "consumer books=waiting");
                service.send(queue, "m1", "a");

                proxy.leadTo(url.getPort());

                service.awaitSettled(queue, 1);
                await().atMost(Duration.ofSeconds(30)).until(() -> WaybillHealth.isUp(health.states()));
            }
        }
    }

    @Test
    void a_service_is_stopped_while_it_waits_for_its_database() {
        try (TcpProxy proxy = TcpProxy.to(1)) {
            URI url = URI.create(service.jdbcUrl().substring("jdbc:".length()));
            String detour = service.jdbcUrl().replace(url.getHost() + ":" + url.getPort(), "127.0.0.1:" + proxy.port());
            assertThatCode(() -> consumer()
                            .with("spring.datasource.url", detour)
                            .with("spring.flyway.enabled", "false")
                            .with("spring.datasource.hikari.connection-timeout", "1000")
                            .run()
                            .close())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void a_pool_that_handlers_alone_could_empty_is_refused() {
        Apps app = consumer().with("waybill.consumers.books.concurrency", "8");

        assertThatThrownBy(() -> app.with("spring.datasource.hikari.maximum-pool-size", "11")
                        .run()
                        .close())
                .hasMessageContaining("has 11 connections at most, and Waybill needs 12: 8 for handlers (books 8)")
                .hasMessageContaining("spring.datasource.hikari.maximum-pool-size to 12");
        app.with("spring.datasource.hikari.maximum-pool-size", "12").run().close();
    }

    /** Each of the two alone fits, and both together leave nobody a connection. */
    @Test
    void a_pool_that_all_consumers_and_the_relay_could_empty_together_is_refused() {
        Apps app = consumer()
                .and(Letters.class)
                .with("waybill.consumers.letters.queue", service.newQueue())
                .with("waybill.consumers.letters.concurrency", "3")
                .with("waybill.destinations." + queue + ".sessions", "false")
                .with("spring.datasource.hikari.maximum-pool-size", "12");

        assertThatThrownBy(() -> app.run().close())
                .hasMessageContaining(
                        "has 12 connections at most, and Waybill needs 13: 7 for handlers (books 4, letters 3),"
                                + " 2 for the relay (its loop, and one to be woken by)")
                .hasMessageContaining("4 for moments");
        app.with("waybill.consumers.letters.enabled", "false").run().close();
    }

    @Test
    void a_pool_that_the_relay_alone_would_empty_is_refused() {
        Apps app = app().with("waybill.destinations." + queue + ".sessions", "false")
                .with("spring.datasource.hikari.maximum-pool-size", "3");

        assertThatThrownBy(() -> app.run().close())
                .hasMessageContaining("has 3 connections at most, and Waybill needs 4: 2 for the relay (its loop, and"
                        + " one to be woken by), 2 for moments");
        app.with("waybill.relay.listening", "false").run().close();
    }

    @Test
    void several_data_sources_without_a_choice_are_refused_and_a_choice_is_taken() {
        Apps app = consumer().and(TwoPools.class).with("spring.flyway.enabled", "false");

        assertThatThrownBy(() -> app.run().close())
                .hasStackTraceContaining("There are several data sources, [one, two]")
                .hasStackTraceContaining("waybill.data-source");
        try (var context = app.with("waybill.data-source", "two")
                .with("waybill.consumers.books.transactions", "own")
                .run()) {
            service.send(queue, "m1", "a");
            service.awaitSettled(queue, 1);
            assertThat(context.getBean("one", HikariDataSource.class).isRunning())
                    .as("the other pool is not touched")
                    .isFalse();
        }
    }

    /** By the proxy, the consumer's own records would be part of a handler's transaction, and undone with it. */
    @Test
    void a_data_source_that_takes_part_in_transactions_is_not_what_relay_and_consumers_use() {
        try (var context = consumer().and(Proxied.class).run()) {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(TransactionAwareDataSourceProxy.class);
            assertThat(context.getBean(Database.class).dataSource()).isInstanceOf(HikariDataSource.class);
            service.send(queue, "m1", "a");
            service.awaitSettled(queue, 1);
        }
    }

    @Test
    void several_managers_without_a_choice_are_refused_and_a_choice_is_taken() {
        Apps app = consumer().and(TwoManagers.class);

        assertThatThrownBy(() -> app.run().close())
                .hasMessageContaining("There are several transaction managers, [one, two]")
                .hasMessageContaining("waybill.transaction-manager");
        try (var context = app.with("waybill.transaction-manager", "two").run()) {
            service.send(queue, "m1", "a");
            service.awaitSettled(queue, 1);
            assertThat(context.isRunning()).isTrue();
        }
    }

    @Test
    void a_consumer_without_a_handler_is_refused_with_what_to_write() {
        assertThatThrownBy(() ->
                        app().with("waybill.consumers.books.queue", queue).run().close())
                .hasMessageContaining("Consumer 'books' has no handler")
                .hasMessageContaining("@InboxHandler(destination = \"" + queue + "\")");
    }

    @Test
    void a_consumer_of_nothing_and_two_ways_to_the_broker_are_refused() {
        assertThatThrownBy(() ->
                        app().with("waybill.consumers.books.topic", "t").run().close())
                .hasStackTraceContaining("receives from a queue, or from a topic and a subscription");
        assertThatThrownBy(() ->
                        app().with("waybill.servicebus.namespace", "n").run().close())
                .hasStackTraceContaining("give one of them");
    }

    @Test
    void the_namespace_of_spring_cloud_azure_is_taken_over() {
        String connectionString = service.bus().connectionString();
        try (var context = app().with("waybill.servicebus.connection-string", "")
                .with("spring.cloud.azure.servicebus.connection-string", connectionString)
                .run()) {
            assertThatCode(() -> context.getBean(ServiceBusConnections.class).get())
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> app().with("waybill.servicebus.connection-string", "")
                        .with("waybill.destinations." + queue + ".sessions", "false")
                        .run()
                        .close())
                .hasStackTraceContaining("Waybill does not know the Service Bus namespace");
    }

    private List<String> tables(JdbcTemplate jdbc) {
        return jdbc.queryForList(
                "select table_name from information_schema.tables where table_schema = ?",
                String.class,
                service.application());
    }

    /** A handler without an annotation. */
    @Configuration(proxyBeanMethods = false)
    static class Books {
        @Bean
        Handler books() {
            return (tx, message) -> Verdict.done();
        }
    }

    /** Another one. */
    @Configuration(proxyBeanMethods = false)
    static class Letters {
        @Bean
        Handler letters() {
            return (tx, message) -> Verdict.done();
        }
    }

    /** A pool behind Spring's proxy. */
    @Configuration(proxyBeanMethods = false)
    static class Proxied {
        @Bean
        DataSource pool(@Value("${spring.datasource.url}") String url) {
            var pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            return new TransactionAwareDataSourceProxy(pool);
        }
    }

    /** Two pools of the same database, neither of them first. */
    @Configuration(proxyBeanMethods = false)
    static class TwoPools {
        @Bean
        HikariDataSource one() {
            return new HikariDataSource();
        }

        @Bean
        HikariDataSource two(@Value("${spring.datasource.url}") String url) {
            var pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            return pool;
        }
    }

    /** Two managers of the same pool, neither of them first. */
    @Configuration(proxyBeanMethods = false)
    static class TwoManagers {
        @Bean
        PlatformTransactionManager one(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager two(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }
}
