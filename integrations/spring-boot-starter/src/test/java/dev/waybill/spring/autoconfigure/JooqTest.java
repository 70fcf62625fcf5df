package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.spring.TestService;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Services that use jOOQ by Boot's beans, beside Waybill, which brings jOOQ. Boot 4 makes none for it. */
@ExtendWith(TestService.Extension.class)
class JooqTest {
    @Test
    void a_second_data_source_that_only_qualifiers_reach_costs_a_service_nothing(TestService service) {
        requireJooq(Apps.on(service).and(NotADefault.class).and(Queries.class));
    }

    @Test
    void a_second_data_source_beside_the_one_of_boots_name_costs_a_service_nothing(TestService service) {
        requireJooq(Apps.on(service)
                .and(ByName.class)
                .and(Queries.class)
                .with("waybill.data-source", "dataSource")
                .with("spring.flyway.enabled", "false"));
    }

    @Test
    void a_second_data_source_and_manager_for_want_of_others_cost_a_service_nothing(TestService service) {
        requireJooq(Apps.on(service).and(ForWantOfOthers.class).and(Queries.class));
    }

    @Test
    void a_service_that_does_not_use_jooq_starts_though_nobody_could_make_it(TestService service) {
        Apps app = Apps.on(service)
                .and(TwoManagers.class)
                .with("waybill.data-source", "dataSource")
                .with("waybill.transaction-manager", "one")
                .with("spring.flyway.enabled", "false");

        assertThatCode(() -> app.run().close()).doesNotThrowAnyException();
    }

    private static void requireJooq(Apps app) {
        if (SpringBootVersion.getVersion().startsWith("3")) {
            try (var context = app.run()) {
                assertThat(context.getBean(Reader.class).number()).isEqualTo(7);
            }
        }
    }

    /** A service that uses jOOQ. */
    record Reader(DSLContext dsl) {
        int number() {
            return dsl.fetchSingle("select 7").get(0, Integer.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Queries {
        @Bean
        Reader reader(DSLContext dsl) {
            return new Reader(dsl);
        }
    }

    /** Boot makes the first pool, since this one is for those who name it. */
    @Configuration(proxyBeanMethods = false)
    static class NotADefault {
        @Bean(defaultCandidate = false)
        HikariDataSource reports(@Value("${spring.datasource.url}") String url) {
            return pool(url);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByName {
        @Bean
        HikariDataSource dataSource(@Value("${spring.datasource.url}") String url) {
            return pool(url);
        }

        @Bean
        HikariDataSource reports(@Value("${spring.datasource.url}") String url) {
            return pool(url);
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForWantOfOthers {
        @Bean
        HikariDataSource orders(@Value("${spring.datasource.url}") String url) {
            return pool(url);
        }

        @Bean
        @Fallback
        HikariDataSource reports(@Value("${spring.datasource.url}") String url) {
            return pool(url);
        }

        @Bean
        PlatformTransactionManager first(HikariDataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        @Fallback
        PlatformTransactionManager second(HikariDataSource reports) {
            return new JdbcTransactionManager(reports);
        }
    }

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

    private static HikariDataSource pool(String url) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }
}
