package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.TestService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/** Names of destinations and consumers that Boot reads as other ones. */
@ExtendWith(TestService.Extension.class)
class WrittenKeysTest {
    @TempDir
    private Path folder;

    private TestService service;

    @BeforeEach
    void take(TestService service) {
        this.service = service;
    }

    private Apps yaml(String text) throws IOException {
        Path file = folder.resolve("application.yml");
        Files.writeString(file, text);
        return Apps.on(service).with("spring.config.location", file.toUri()).with("waybill.relay.enabled", "false");
    }

    private List<String> warnings(Apps app, Map<String, Object> variables) {
        try (var lines = Lines.of(WrittenKeys.class.getName());
                var context = run(app, variables, lines)) {
            assertThat(context.isActive()).isTrue();
            return lines.at(Level.WARN);
        }
    }

    private static ConfigurableApplicationContext run(Apps app, Map<String, Object> variables, Lines lines) {
        return app.builder()
                .initializers(context -> {
                    lines.listen();
                    context.getEnvironment()
                            .getPropertySources()
                            .replace(
                                    "systemEnvironment",
                                    new SystemEnvironmentPropertySource("systemEnvironment", variables));
                })
                .run();
    }

    @Test
    void a_variable_that_makes_a_destination_of_its_own_is_told_beside_the_one_that_it_seems_to_set()
            throws IOException {
        assertThat(warnings(
                        yaml("waybill:\n  destinations:\n    order-events:\n      sessions: false\n"),
                        Map.of("WAYBILL_DESTINATIONS_ORDEREVENTS_SESSIONS", "true")))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("'orderevents' and 'order-events'", "WAYBILL_DESTINATIONS_ORDEREVENTS_SESSIONS"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WAYBILL_DESTINATIONS_ORDER_EVENTS_SESSIONS",
                "WAYBILL_DESTINATIONS_ORDER_EVENTS_MAXIMUM_SIZE",
                "waybill_destinations_order_events_maximumsize"
            })
    void a_variable_with_an_underscore_in_the_name_is_told(String variable) throws IOException {
        assertThat(warnings(
                        yaml("waybill:\n  destinations:\n    order-events:\n      sessions: false\n"),
                        Map.of(variable, variable.contains("SESSIONS") ? "true" : "10KB")))
                .anySatisfy(line -> assertThat(line)
                        .contains("The variable " + variable
                                + " does not set 'order_events' below waybill.destinations"));
    }

    @Test
    void the_same_holds_for_consumers_and_for_capitals() throws IOException {
        service.bus().createQueue("bill-ing", plain -> plain);
        Apps app = yaml("""
                waybill:
                  consumers:
                    bill-ing: { queue: bill-ing, enabled: false }
                  destinations:
                    Orders: { sessions: false }
                    orders: { sessions: false }
                """);

        assertThat(warnings(
                        app,
                        Map.of(
                                "WAYBILL_CONSUMERS_BILLING_CONCURRENCY",
                                "1",
                                "WAYBILL_CONSUMERS_BILLING_QUEUE",
                                "q",
                                "WAYBILL_CONSUMERS_BILLING_ENABLED",
                                "false")))
                .anySatisfy(line -> assertThat(line).contains("'billing' and 'bill-ing'"))
                .anySatisfy(line -> assertThat(line).contains("'Orders' and 'orders'"));
    }

    @Test
    void a_variable_of_a_plain_name_is_no_reason_to_warn() throws IOException {
        assertThat(warnings(
                        yaml(
                                "waybill:\n  destinations:\n    orders:\n      sessions: false\n    order-s:\n      sessions: false\n"),
                        Map.of(
                                "WAYBILL_SCHEMA",
                                service.schema().value(),
                                "WAYBILL_DESTINATIONS_BILLS_MAXIMUMSIZE",
                                "10KB")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sales/orders", "orders.eu", "a/b.c/d", "orders~eu", "/orders"})
    void a_name_with_a_slash_a_dot_or_a_tilde_stops_the_start_with_the_form_to_write(String name) throws IOException {
        Apps app = yaml("waybill:\n  destinations:\n    " + name + ":\n      maximum-size: 100KB\n");

        assertThatThrownBy(() -> app.run().close())
                .hasStackTraceContaining("Write \"[" + name + "]\" below waybill.destinations");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sales/orders", "orders.eu", "orders~eu"})
    void and_that_form_works(String name) throws IOException {
        try (var context = yaml("waybill:\n  destinations:\n    \"[" + name + "]\":\n      sessions: false\n")
                .run()) {
            assertThat(context.getBean(WaybillProperties.class).destinations()).containsOnlyKeys(name);
            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> context.getBean(Outbox.class)
                            .append(OutboxMessage.to(name).id("m1").text("x").build()));
        }
        assertThat(service.appended(name)).isOne();
    }
}
