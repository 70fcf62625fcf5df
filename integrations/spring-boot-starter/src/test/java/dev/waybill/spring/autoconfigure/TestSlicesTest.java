package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureTestDatabase;
import org.springframework.boot.test.autoconfigure.jdbc.JdbcTest;
import org.springframework.boot.test.autoconfigure.jooq.JooqTest;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.annotation.Transactional;

/** Tests of one layer with a service that appends: they know no broker, and need none. */
class TestSlicesTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final String SCHEMA = "slices_" + ProcessHandle.current().pid();

    /** What the service's configuration says; nothing of it leads to a broker. */
    @Import(Shop.class)
    @Transactional
    @TestPropertySource(
            properties = {
                "waybill.destinations.orders.sessions=false",
                "waybill.consumers.billing.queue=orders",
                "waybill.migrations=apply",
                "spring.liquibase.enabled=false",
                "spring.flyway.enabled=false"
            })
    @AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
    abstract static class OfOneLayer {
        @DynamicPropertySource
        static void database(DynamicPropertyRegistry registry) {
            registry.add("spring.datasource.url", SERVER::jdbcUrl);
            registry.add("waybill.schema", () -> SCHEMA);
        }

        @Test
        void a_service_appends_in_the_tests_transaction_without_relay_and_consumers(
                @Autowired Shop shop, @Autowired ApplicationContext context) {
            shop.place("o-1");

            assertThat(shop.placed()).isOne();
            assertThat(context.getBeansOfType(RelayLifecycle.class)).isEmpty();
            assertThat(context.getBeansOfType(ConsumersLifecycle.class)).isEmpty();
        }
    }

    @Nested
    @JdbcTest
    class OfJdbc extends OfOneLayer {}

    @Nested
    @DataJpaTest
    class OfJpa extends OfOneLayer {}

    @Nested
    @JooqTest
    class OfJooq extends OfOneLayer {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Service {}

    static class Shop {
        private final Outbox outbox;
        private final JdbcTemplate jdbc;

        Shop(Outbox outbox, DataSource dataSource) {
            this.outbox = outbox;
            jdbc = new JdbcTemplate(dataSource);
        }

        @Transactional
        public void place(String id) {
            outbox.append(OutboxMessage.to("orders").id(id).text(id).build());
        }

        @Transactional
        public int placed() {
            Integer count = jdbc.queryForObject("select count(*) from " + SCHEMA + ".outbox_message", Integer.class);
            return count == null ? -1 : count;
        }
    }
}
