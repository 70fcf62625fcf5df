package dev.waybill.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.NoTransactionException;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.MessageType;
import dev.waybill.spring.test.ServiceConsumers;
import dev.waybill.spring.test.WaybillTest;
import dev.waybill.test.TestWaybill;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.transaction.support.TransactionTemplate;

/** Modulith's events from {@code publishEvent} to a handler. */
@WaybillTest(
        classes = ExternalizedEventsTest.Shop.class,
        properties = {
            "waybill.destinations.orders.sessions=true",
            "waybill.destinations.plain.sessions=false",
            "waybill.consumers.stock.queue=orders",
            "waybill.consumers.stock.sessions=true"
        })
class ExternalizedEventsTest {
    @Autowired
    private ApplicationEventPublisher events;

    @Autowired
    private TransactionTemplate transactions;

    @Autowired
    private TestWaybill waybill;

    @Autowired
    private ServiceConsumers consumers;

    @Autowired
    private Handlers handlers;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void the_target_is_the_destination_the_key_the_session_and_the_handler_takes_the_event() throws Exception {
        transactions.executeWithoutResult(status -> events.publishEvent(new Placed("1", "ada")));

        assertThat(waybill.publish()).isOne();
        waybill.published("orders").inSession("ada").hasSize(1);
        consumers.of("stock").handleAll();
        assertThat(handlers.seen).containsExactly(new Placed("1", "ada"));
    }

    @Test
    void a_rollback_takes_the_event_back_and_two_equal_events_are_two_messages() throws Exception {
        transactions.executeWithoutResult(status -> {
            events.publishEvent(new Placed("2", "ada"));
            status.setRollbackOnly();
        });
        transactions.executeWithoutResult(status -> {
            events.publishEvent(new Placed("3", "ada"));
            events.publishEvent(new Placed("3", "ada"));
        });

        assertThat(waybill.publish()).isEqualTo(2);
        waybill.published("orders").hasSize(2);
    }

    @Test
    void an_event_without_a_key_has_no_session_and_modulith_s_mapping_and_headers_count() {
        transactions.executeWithoutResult(status -> events.publishEvent(new Cancelled("4")));

        assertThat(jdbc.queryForMap("select session_id, subject, headers, payload from waybill.outbox_message"))
                .containsEntry("session_id", null)
                .containsEntry("subject", "Cancelled")
                .containsEntry("payload", "{\"order\":\"4\"}".getBytes(StandardCharsets.UTF_8))
                .hasEntrySatisfying(
                        "headers",
                        headers -> assertThat(headers.toString())
                                .contains(
                                        "\"tenant\": \"t-1\"", "\"count\": 1", "\"small\": 3", "\"double\": \"1.5\""));
        assertThat(waybill.publish()).isOne();
        waybill.published("plain").hasSize(1);
    }

    @Test
    void an_event_outside_a_transaction_is_refused_and_other_events_are_left_alone() {
        assertThatThrownBy(() -> events.publishEvent(new Placed("5", "ada")))
                .isInstanceOf(NoTransactionException.class);
        events.publishEvent(new Internal());

        assertThat(waybill.publish()).isZero();
    }

    /** Spring hands them over as they are, and not as a payload. */
    @Test
    void an_event_that_extends_springs_application_event_is_not_left_out() {
        transactions.executeWithoutResult(status -> events.publishEvent(new Classical(this)));

        assertThat(waybill.publish()).isOne();
    }

    @Test
    void a_mapping_to_text_is_refused_because_it_would_be_json_of_json() {
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> events.publishEvent(new Mapped("6"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JSON of JSON");
    }

    @Externalized("plain")
    record Mapped(String number) {}

    @Externalized("plain")
    static final class Classical extends ApplicationEvent {
        private static final long serialVersionUID = 1L;

        Classical(Object source) {
            super(source);
        }
    }

    @Externalized("orders::#{customer()}")
    @MessageType("OrderPlaced")
    record Placed(String number, String customer) {}

    @Externalized("plain")
    record Cancelled(String number) {}

    record Internal() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Handlers handlers() {
            return new Handlers();
        }

        @Bean
        EventExternalizationConfiguration externalization() {
            return EventExternalizationConfiguration.externalizing()
                    .select(EventExternalizationConfiguration.annotatedAsExternalized())
                    .mapping(Cancelled.class, event -> Map.of("order", event.number()))
                    .mapping(Classical.class, event -> Map.of("order", "7"))
                    .mapping(Mapped.class, event -> "{\"number\": \"6\"}")
                    .headers(
                            Cancelled.class,
                            event -> Map.of("tenant", "t-1", "count", 1, "small", (short) 3, "weight", 1.5f))
                    .build();
        }
    }

    static class Handlers {
        final List<Placed> seen = new ArrayList<>();

        @InboxHandler(destination = "orders")
        void placed(Placed order) {
            seen.add(order);
        }
    }
}
