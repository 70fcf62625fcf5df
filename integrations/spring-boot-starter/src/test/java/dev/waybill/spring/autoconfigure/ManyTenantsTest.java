package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.spring.TestService;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Two hundred idle tenants, and what the server counts. */
@ExtendWith(TestService.Extension.class)
class ManyTenantsTest {
    private static final Logger LOG = LoggerFactory.getLogger(ManyTenantsTest.class);
    private static final int TENANTS = 200;
    private static final Duration DEFAULT = Duration.ofMinutes(2);

    /** The times of the test are so many times shorter. With 1 the defaults are measured, in six minutes. */
    private static final int HASTE = Integer.getInteger("waybill.tenants.haste", 20);

    private static @Nullable TenantDatabases shared;

    @Test
    @Tag("long")
    void idle_databases_of_200_tenants_cost_at_most_200_transactions_a_minute(TestService service) throws Exception {
        // Autovacuum's own transactions in each database would be counted, too.
        try (PostgresServer server = PostgresServer.embedded(Map.of("max_connections", "300", "autovacuum", "off"));
                HikariDataSource pool = server.newPool(10)) {
            var databases = new TenantDatabases(pool, server.jdbcUrl(), service.schema(), TENANTS);
            shared = databases;
            try {
                assertThat(transactionsAMinute(service, databases)).isBetween(50.0, 220.0);
            } finally {
                databases.closePools();
            }
        }
    }

    // A look and the pool's check of its connection; a tenth more for those at the edges of the window.
    private static double transactionsAMinute(TestService service, TenantDatabases databases) throws Exception {
        Duration longest = DEFAULT.dividedBy(HASTE);
        Duration window = longest.multipliedBy(2);
        try (var context = Apps.on(service)
                .and(Routed.class)
                .with("spring.flyway.enabled", "false")
                .with("waybill.tenants", String.join(",", databases.names()))
                .with("waybill.relay.longest-idle", longest.toMillis() + "ms")
                .with("waybill.destinations." + service.newQueue() + ".sessions", "true")
                .run()) {
            Thread.sleep(window.toMillis());
            long before = sum(databases);
            Thread.sleep(window.toMillis());
            long counted = sum(databases) - before;

            assertThat(context.getBean(WaybillHealth.class).states()).containsEntry("relay", "running");
            double minutes = window.multipliedBy(HASTE).toMillis() / 60_000.0;
            LOG.info("{} transactions of {} tenants in {} min of the defaults", counted, TENANTS, minutes);
            return counted / minutes;
        }
    }

    private static long sum(TenantDatabases databases) {
        return databases.transactions().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Configuration(proxyBeanMethods = false)
    static class Routed {
        @Bean
        DataSource tenants() {
            return Objects.requireNonNull(shared).routing();
        }
    }
}
