package dev.waybill.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.TestService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** What waits, as gauges and the endpoint show it, and what health knows of the broker. */
@ExtendWith(TestService.Extension.class)
class FiguresTest {
    private TestService service;
    private String orders;

    @BeforeEach
    void take_a_queue(TestService service) {
        this.service = service;
        orders = service.newQueue();
    }

    private Apps app() {
        return Apps.on(service)
                .and(Shop.class)
                .with("orders", orders)
                .with("management.endpoints.web.exposure.include", "*")
                .with("waybill.destinations." + orders + ".sessions", "false")
                .consuming(orders);
    }

    @Test
    void what_waits_has_gauges_and_a_row_of_the_endpoint() {
        try (var context = app().with("waybill.auto-startup", "false").run()) {
            append(context, "f-1", false);
            append(context, "f-2", true);
            var registry = context.getBean(MeterRegistry.class);

            await().untilAsserted(() ->
                    assertThat(gauge(registry, "waybill.outbox.pending")).isEqualTo(1));
            assertThat(gauge(registry, "waybill.outbox.oldest.pending.age")).isPositive();
            assertThat(gauge(registry, "waybill.outbox.scheduled")).isEqualTo(1);
            assertThat(gauge(registry, "waybill.outbox.held")).isZero();
            assertThat(context.getBean(WaybillEndpoint.class).waybill())
                    .containsEntry("states", Map.of("relay", "stopped", "consumer " + orders, "stopped"))
                    .hasEntrySatisfying(
                            "waiting",
                            waiting -> assertThat(waiting.toString())
                                    .contains("figure=pending, name=" + orders + ", messages=1")
                                    .contains("figure=scheduled, name=" + orders + ", messages=1"))
                    .containsKey("alarms");
            context.getBean(JdbcTemplate.class)
                    .execute(
                            "delete from " + service.schema() + ".outbox_message where destination = '" + orders + "'");
            context.getBean(JdbcTemplate.class)
                    .execute("delete from " + service.schema() + ".outbox_scheduled where destination = '" + orders
                            + "'");
        }
    }

    @Test
    void health_and_endpoint_name_the_destination_that_the_broker_does_not_take() {
        try (var context = app().run()) {
            append(context, "f-3", false);
            service.awaitSettled(orders, 1);
            var registry = context.getBean(MeterRegistry.class);
            // The broker has the settlement before the consumer counts it.
            await().untilAsserted(() -> assertThat(registry.find("waybill.inbox.lag")
                            .tag("consumer", orders)
                            .timers())
                    .singleElement()
                    .satisfies(lag -> assertThat(lag.count()).isOne()));
            var health = context.getBean(WaybillHealth.class);
            assertThat(health.states().values()).containsOnly("running");
            assertThat(health.destinations())
                    .singleElement()
                    .satisfies(destination -> assertThat(destination.state()).isIn("flowing", "idle"));

            service.bus().delete(orders);
            append(context, "f-4", false);
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> requireNonNull(health.states().get("relay"))
                            .startsWith("publishes nothing: '" + orders + "' refused"));
            assertThat(WaybillHealth.isUp(health.states())).isFalse();
            context.getBean(JdbcTemplate.class)
                    .execute(
                            "delete from " + service.schema() + ".outbox_message where destination = '" + orders + "'");
        }
    }

    /** Somebody has locked the tables: each of many gauges would wait. */
    @Test
    void a_scrape_waits_a_second_at_most_and_has_no_values_then() throws Exception {
        try (var context = app().with("waybill.auto-startup", "false").run();
                var locking = service.pool().getConnection()) {
            locking.setAutoCommit(false);
            locking.createStatement().execute("lock table " + service.schema() + ".outbox_scheduled");
            var registry = context.getBean(MeterRegistry.class);

            long begun = System.nanoTime();
            registry.find("waybill.outbox.pending")
                    .gauges()
                    .forEach(gauge -> assertThat(gauge.value()).isNaN());
            assertThat(gauge(registry, "waybill.outbox.held")).isNaN();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
            locking.rollback();
        }
    }

    private static double gauge(MeterRegistry registry, String name) {
        return registry.get(name).gauge().value();
    }

    private void append(ConfigurableApplicationContext context, String id, boolean later) {
        OutboxMessage.Builder message = OutboxMessage.to(orders).id(id).text(id);
        if (later) {
            message.notBefore(Instant.now().plus(Duration.ofHours(1)));
        }
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> context.getBean(Outbox.class).append(List.of(message.build())));
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }
    }

    static class Handlers {
        @InboxHandler(destination = "${orders}")
        void any(String body) {}
    }
}
