package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.TestService;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** One bean that leads to the database of the thread's tenant: its messages would wait for a relay that never comes. */
@ExtendWith(TestService.Extension.class)
class RoutedDatabaseTest {
    @SuppressWarnings("ThreadLocalUsage")
    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    private static final String OTHER = "tenant_" + ProcessHandle.current().pid();

    private static @Nullable TestService shared;

    private static TestService service() {
        return Objects.requireNonNull(shared);
    }

    private String queue;

    @BeforeEach
    void take(TestService service) {
        shared = service;
        queue = service.newQueue();
        TENANT.remove();
        var jdbc = new JdbcTemplate(service.pool());
        jdbc.execute("drop database if exists " + OTHER + " with (force)");
        jdbc.execute("create database " + OTHER);
        try (HikariDataSource pool = other()) {
            Migrations.of(pool, service.schema()).apply(Feature.all());
        }
    }

    private static HikariDataSource other() {
        return PostgresServer.pool(service().jdbcUrl().replaceFirst("(//[^/]+/)[^?]*", "$1" + OTHER), 10);
    }

    private Apps app(Class<?> databases) {
        return Apps.on(service()).and(databases).with("waybill.destinations." + queue + ".sessions", "false");
    }

    @Test
    void a_source_that_routes_to_two_databases_stops_the_start_with_their_keys() {
        assertThatThrownBy(() -> app(Routed.class).run().close())
                .hasStackTraceContaining("routes to several databases, of [one, two]");
    }

    @Test
    void and_so_does_one_behind_a_proxy_that_connects_late() {
        assertThatThrownBy(() -> app(RoutedLate.class).run().close())
                .hasStackTraceContaining("routes to several databases, of [one, two]");
    }

    @Test
    void two_pools_of_one_database_are_served() {
        try (var context = app(TwoPools.class).run()) {
            TENANT.set("two");
            append(context, "m1");
            TENANT.remove();

            awaitStored();
        }
    }

    private void awaitStored() {
        await().until(() -> service().bus().journal(queue).storedCount() == 1);
    }

    /** No type tells it from another source. */
    @Test
    void an_append_in_the_database_of_another_tenant_is_refused_before_its_commit() {
        try (var context = app(OwnChoice.class).run()) {
            TENANT.set("two");

            assertThatThrownBy(() -> append(context, "m1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("/" + OTHER)
                    .hasMessageContaining("the relay of this process publishes from");
            TENANT.remove();
            append(context, "m2");
            awaitStored();
        }
        try (HikariDataSource pool = other()) {
            assertThat(new JdbcTemplate(pool)
                            .queryForObject(
                                    "select count(*) from " + service().schema().table("outbox_message"),
                                    Integer.class))
                    .isZero();
        }
    }

    @Test
    void a_process_without_a_relay_appends_for_every_tenant() {
        try (var context =
                app(OwnChoice.class).with("waybill.relay.enabled", "false").run()) {
            TENANT.set("two");
            append(context, "m1");
        }
        TENANT.remove();
        assertThat(service().appended(queue)).isZero();
    }

    private void append(ConfigurableApplicationContext context, String id) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> context.getBean(Outbox.class)
                        .append(OutboxMessage.to(queue).id(id).text(id).build()));
    }

    static class Routing extends AbstractRoutingDataSource {
        Routing(DataSource one, DataSource two) {
            setTargetDataSources(Map.of("one", one, "two", two));
            setDefaultTargetDataSource(one);
        }

        @Override
        protected @Nullable Object determineCurrentLookupKey() {
            return TENANT.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Routed {
        @Bean
        DataSource tenants() {
            return new Routing(service().pool(), other());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RoutedLate {
        @Bean
        DataSource tenants() {
            var routing = new Routing(service().pool(), other());
            routing.afterPropertiesSet();
            return new LazyConnectionDataSourceProxy(routing);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoPools {
        @Bean
        DataSource pools() {
            return new Routing(service().pool(), service().newPool(config -> config));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnChoice {
        @Bean
        DataSource tenants() {
            HikariDataSource other = other();
            return new DelegatingDataSource(service().pool()) {
                @Override
                public Connection getConnection() throws SQLException {
                    return TENANT.get() == null ? super.getConnection() : other.getConnection();
                }
            };
        }
    }
}
