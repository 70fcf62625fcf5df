package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.TestService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** A service with two databases, each with an outbox, a relay and a consumer. */
@ExtendWith(TestService.Extension.class)
class NamedOutboxesTest {
    private static final String OTHER = "sales_" + ProcessHandle.current().pid();

    private TestService service;
    private String orders;
    private String sales;

    @BeforeEach
    void create_the_other_database(TestService service) {
        this.service = service;
        orders = service.newQueue();
        sales = service.newQueue();
        new JdbcTemplate(service.pool()).execute("create database " + OTHER);
    }

    @AfterEach
    void drop_it() {
        new JdbcTemplate(service.pool()).execute("drop database " + OTHER + " with (force)");
    }

    private Apps app() {
        return Apps.on(service)
                .and(Shop.class)
                .with("own.url", service.jdbcUrl())
                .with("sales.url", service.jdbcUrl().replaceFirst("/[^/?]+(?=\\?|$)", "/" + OTHER))
                .with("orders", orders)
                .with("sales", sales)
                .with("waybill.destinations." + orders + ".sessions", "false")
                .with("waybill.outboxes.sales.data-source", "salesData")
                .with("waybill.outboxes.sales.schema", "wares")
                .with("waybill.outboxes.sales.migrations", "apply")
                .with("waybill.outboxes.sales.destinations." + sales + ".sessions", "false")
                .with("waybill.outboxes.sales.consumers.selling.queue", sales)
                .consuming(orders);
    }

    @Test
    void each_appends_in_its_own_transaction_and_is_relayed_and_handled_in_its_own_database() {
        try (var context = app().run()) {
            context.getBean(Desk.class).order("n-1", orders);
            context.getBean(Desk.class).sell("n-2", sales);

            service.awaitSettled(orders, 1);
            service.awaitSettled(sales, 1);
            var other = new JdbcTemplate(context.getBean("salesData", DataSource.class));
            assertThat(other.queryForList("select message_id from wares.inbox_message", String.class))
                    .containsExactly("n-2");
            assertThat(other.queryForList("select what from public.sold", String.class))
                    .containsExactly("n-2");
            assertThat(context.getBean(WaybillHealth.class).states())
                    .containsOnly(
                            Map.entry("relay", "running"),
                            Map.entry("relay of sales", "running"),
                            Map.entry("consumer " + orders, "running"),
                            Map.entry("consumer selling of sales", "running"));
            assertThat(context.getBean(MeterRegistry.class)
                            .get("waybill.outbox.pending")
                            .tags("outbox", "sales", "destination", sales)
                            .gauge())
                    .isNotNull();
        }
    }

    @Test
    void an_append_in_the_other_databases_transaction_or_to_the_others_destination_is_refused() {
        try (var context = app().run()) {
            var desk = context.getBean(Desk.class);
            assertThatThrownBy(() -> desk.sellInTheWrongTransaction("n-3", sales))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another data source");
            assertThatThrownBy(() -> desk.sellWithout("n-4", sales)).isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> desk.order("n-5", sales)).hasMessageContaining("undeclared destination");
        }
    }

    @Test
    void a_named_outbox_without_a_database_of_its_own_stops_the_start() {
        assertThatThrownBy(() -> app().with("waybill.outboxes.sales.data-source", "")
                        .run()
                        .close())
                .rootCause()
                .hasMessageContaining("waybill.outboxes.sales needs data-source");
        assertThatThrownBy(() -> app().with("waybill.outboxes.more.data-source", "salesData")
                        .with("waybill.outboxes.more.schema", "wares")
                        .run()
                        .close())
                .rootCause()
                .hasMessageContaining("have the same tables");
    }

    @Test
    void what_a_named_outbox_says_of_cloud_events_wins_over_the_service() {
        try (var context = app().with("waybill.cloud-events", "true")
                .with("waybill.source", "/desk")
                .with("waybill.outboxes.sales.cloud-events", "false")
                .run()) {
            var desk = context.getBean(Desk.class);
            assertThatThrownBy(() -> desk.order("n-6", orders)).hasMessageContaining("type of a CloudEvent");
            desk.sell("n-7", sales);

            service.awaitSettled(sales, 1);
        }
    }

    /** They would be read, and change nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"enabled=false", "object-mapper=other"})
    void a_setting_that_only_the_whole_service_has_is_refused_below_a_named_outbox(String setting) {
        assertThatThrownBy(() -> app().with("waybill.outboxes.sales." + setting.split("=")[0], setting.split("=")[1])
                        .run()
                        .close())
                .rootCause()
                .hasMessageContaining("waybill.outboxes.sales")
                .hasMessageContaining(setting.split("=")[0]);
    }

    /** Each would record the ids of its messages in a database of its own, and handle what the other has handled. */
    @Test
    void consumers_of_two_outboxes_on_one_queue_stop_the_start() {
        assertThatThrownBy(() -> app().with("waybill.outboxes.sales.consumers.more.queue", orders)
                        .run()
                        .close())
                .hasMessageContaining("both receive")
                .hasMessageContaining("more of sales");
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        @Primary
        DataSource ownData(@Value("${own.url}") String url) {
            return pool(url);
        }

        @Bean
        DataSource salesData(@Value("${sales.url}") String url) {
            HikariDataSource pool = pool(url);
            new JdbcTemplate(pool).execute("create table if not exists public.sold (what text)");
            return pool;
        }

        @Bean
        @Primary
        JdbcTransactionManager own(DataSource ownData) {
            return new JdbcTransactionManager(ownData);
        }

        @Bean
        JdbcTransactionManager selling(@Qualifier("salesData") DataSource salesData) {
            return new JdbcTransactionManager(salesData);
        }

        @Bean
        Desk desk(Outbox outbox, @Qualifier("sales") Outbox sales) {
            return new Desk(outbox, sales);
        }

        @Bean
        Handlers handlers(@Qualifier("salesData") DataSource salesData) {
            return new Handlers(new JdbcTemplate(salesData));
        }

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        private static HikariDataSource pool(String url) {
            var config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(16);
            return new HikariDataSource(config);
        }
    }

    static class Desk {
        private final Outbox outbox;
        private final Outbox sales;

        Desk(Outbox outbox, Outbox sales) {
            this.outbox = outbox;
            this.sales = sales;
        }

        @Transactional
        public void order(String id, String destination) {
            outbox.append(message(id, destination));
        }

        @Transactional("selling")
        public void sell(String id, String destination) {
            sales.append(message(id, destination));
        }

        @Transactional
        public void sellInTheWrongTransaction(String id, String destination) {
            sales.append(message(id, destination));
        }

        public void sellWithout(String id, String destination) {
            sales.append(message(id, destination));
        }

        private static OutboxMessage message(String id, String destination) {
            return OutboxMessage.to(destination).id(id).text(id).build();
        }
    }

    static class Handlers {
        private final JdbcTemplate sales;

        Handlers(JdbcTemplate sales) {
            this.sales = sales;
        }

        @InboxHandler(destination = "${orders}")
        void ordered(String order) {}

        @InboxHandler(destination = "${sales}")
        void sold(String what) {
            sales.update("insert into public.sold values (?)", what);
        }
    }
}
