package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.spring.InboxHandler;
import dev.waybill.test.TestWaybill;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** A service under test whose relay and consumers work when the test tells them to. */
@WaybillTest(
        classes = WaybillTestTest.Shop.class,
        properties = {
            "waybill.destinations.orders.sessions=true",
            "waybill.destinations.elsewhere.sessions=false",
            "waybill.destinations.news.sessions=false",
            "waybill.consumers.stock.queue=orders",
            "waybill.consumers.stock.sessions=true",
            "waybill.consumers.letters.topic=news",
            "waybill.consumers.letters.subscription=all",
            "waybill.servicebus.connection-string=that of production, which no test must reach"
        })
class WaybillTestTest {
    @Autowired
    private Orders orders;

    @Autowired
    private TestWaybill waybill;

    @Autowired
    private ServiceConsumers consumers;

    @Autowired
    private JdbcTemplate jdbc;

    /** Twice, with the same ids: nothing is left of the test before. */
    @RepeatedTest(2)
    void a_message_goes_from_the_append_to_the_handler_in_single_turns() throws Exception {
        jdbc.update("delete from stock");
        orders.place("o-1");
        waybill.appended().hasIds("o-1");
        waybill.published("orders").isEmpty();

        assertThat(waybill.publish()).isEqualTo(1);
        waybill.published("orders").hasIds("o-1");
        assertThat(taken()).as("consumers rest").isZero();

        consumers.of("stock").handleAll().hasIds("o-1");
        waybill.handled("stock").hasIds("o-1");
        assertThat(taken()).isEqualTo(1);
    }

    /** By the service's own transaction manager: a failed handler leaves nothing. */
    @Test
    void a_handler_that_fails_is_rolled_back_and_its_message_is_a_dead_letter_soon() throws Exception {
        jdbc.update("delete from stock");
        orders.place("broken");
        waybill.publish();

        var consumer = consumers.of("stock");
        consumer.handleAll();

        waybill.deadLettered("orders").hasIds("broken");
        assertThat(consumer.failures()).isNotEmpty();
        assertThat(taken()).isZero();
    }

    @Test
    void one_call_runs_what_handlers_append_too_until_nothing_moves() throws Exception {
        jdbc.update("delete from stock");
        orders.place("told");

        waybill.runUntilQuiet().hasIds("told", "news-told");

        waybill.handled("letters").hasIds("news-told");
        assertThat(taken()).isEqualTo(2);
        waybill.runUntilQuiet().isEmpty();
    }

    @Test
    void a_wrong_name_is_told_with_those_there_are() {
        assertThatThrownBy(() -> consumers.of("stocks"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no consumer 'stocks' here, but [letters, stock]");
    }

    @Test
    void the_broker_has_what_the_properties_name(@Autowired EmbeddedServiceBus bus) {
        assertThat(bus.requiresSession("orders")).isTrue();
        assertThat(bus.requiresSession("elsewhere")).isFalse();
        assertThat(bus.inspect("news/subscriptions/all").active()).isZero();
    }

    @Test
    void the_services_own_clients_are_led_to_the_broker_too(
            @Autowired EmbeddedServiceBus bus, @Autowired Environment environment) {
        assertThat(environment.getProperty("spring.cloud.azure.servicebus.connection-string"))
                .isEqualTo(bus.connectionString());
    }

    @Nested
    class OfAnotherTest {
        @Test
        void nested_tests_share_the_context(@Autowired TestWaybill same) {
            assertThat(same).isSameAs(waybill);
            waybill.appended().isEmpty();
        }
    }

    private int taken() {
        Integer count = jdbc.queryForObject("select count(*) from stock", Integer.class);
        return count == null ? -1 : count;
    }

    /** The service. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Orders orders(Outbox outbox) {
            return new Orders(outbox);
        }

        @Bean
        Stock stock(JdbcTemplate jdbc) {
            return new Stock(jdbc);
        }

        @Bean
        Handlers handlers(Stock stock, Outbox outbox) {
            return new Handlers(stock, outbox);
        }
    }

    static class Orders {
        private final Outbox outbox;

        Orders(Outbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        public void place(String order) {
            outbox.append(OutboxMessage.to("orders")
                    .id(order)
                    .session(order)
                    .text(order)
                    .build());
        }
    }

    static class Stock {
        private final JdbcTemplate jdbc;

        Stock(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("create table stock (what text)");
        }

        @Transactional
        public void take(String what) {
            jdbc.update("insert into stock values (?)", what);
        }
    }

    static class Handlers {
        private final Stock stock;
        private final Outbox outbox;

        Handlers(Stock stock, Outbox outbox) {
            this.stock = stock;
            this.outbox = outbox;
        }

        @InboxHandler(destination = "orders")
        void ordered(String order) {
            stock.take(order);
            if (order.equals("told")) {
                outbox.append(
                        OutboxMessage.to("news").id("news-" + order).text(order).build());
            }
            if (order.equals("broken")) {
                throw new IllegalStateException("after the work");
            }
        }

        @InboxHandler(destination = "news/all")
        void told(String news) {
            stock.take(news);
        }
    }
}
