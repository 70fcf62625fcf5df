package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.models.SubQueue;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.outbox.InvalidMessageException;
import dev.waybill.outbox.Outbox;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.MessageType;
import dev.waybill.spring.OutboxEvent;
import dev.waybill.spring.TestService;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** Objects, events and bodies that would become another message than the one that is meant, or none. */
@ExtendWith(TestService.Extension.class)
class HazardousMessagesTest {
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
                .with("waybill.destinations." + orders + ".sessions", "false")
                .consuming(orders);
    }

    @Test
    void a_text_or_bytes_as_an_object_would_be_json_of_json_and_are_refused() {
        try (var context = app().run()) {
            for (Object body : new Object[] {"{\"number\":\"1\"}", new StringBuilder("{}"), new byte[] {1, 2}}) {
                assertThatThrownBy(() -> append(context, outbox -> body))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("json(text)");
            }
            assertThat(service.appended(orders)).isZero();
        }
    }

    @Test
    void no_object_is_refused_with_the_name_of_the_destination() {
        try (var context = app().run()) {
            assertThatThrownBy(() -> append(context, outbox -> null))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining(orders);
        }
    }

    private void append(ConfigurableApplicationContext context, Function<Outbox, @Nullable Object> body) {
        inTransaction(
                context,
                outbox -> outbox.append(
                        outbox.message(orders).id("m").body(body.apply(outbox)).build()));
    }

    /** All orders without a number would be one message, and all but one dropped as duplicates. */
    @Test
    void an_id_that_a_missing_value_would_make_equal_for_all_events_fails_the_publisher() {
        try (var context = app().run()) {
            for (Object event : new Object[] {
                new Placed(null), new Optionally(null), new InTheMiddle(null), new Identity(new Object())
            }) {
                assertThatThrownBy(() -> publish(context, event))
                        .as(event.toString())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("its id");
            }
            assertThat(service.appended(orders)).isZero();
        }
    }

    @Test
    void an_annotated_application_event_is_not_left_out() {
        try (var context = app().run()) {
            assertThatThrownBy(() -> publish(context, new Classical(this, "1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ApplicationEvent");
        }
    }

    /** Jackson reads overlong forms and halves of pairs in UTF-8 as if they were characters. */
    @Test
    void malformed_utf_8_in_json_is_a_dead_letter_that_names_the_byte() {
        try (var context = app().run();
                var sender = service.client().sender().queueName(orders).buildClient();
                var dead = service.client()
                        .receiver()
                        .queueName(orders)
                        .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                        .buildClient()) {
            for (String wrong : new String[] {"\u00c1\u0081", "\u00ed\u00a0\u00bd", "\u00e0\u0080\u00af"}) {
                sender.sendMessage(
                        new ServiceBusMessage(("{\"number\":\"" + wrong + "\"}").getBytes(StandardCharsets.ISO_8859_1))
                                .setSubject("OrderPlaced")
                                .setMessageId("m" + wrong.codePointAt(0)));
            }

            service.awaitSettled(orders, 3);
            assertThat(context.getBean(Handlers.class).seen).isEmpty();
            assertThat(dead.peekMessages(3))
                    .allSatisfy(letter ->
                            assertThat(letter.getDeadLetterErrorDescription()).contains("UTF-8 from byte"));
        }
    }

    @Test
    void a_text_of_jms_is_what_was_sent_whatever_charset_its_content_type_names() {
        try (var context = app().run();
                var sender = service.client().sender().queueName(orders).buildClient()) {
            sender.sendMessage(new ServiceBusMessage(AmqpMessageBody.fromValue("{\"number\":\"M\u00fcller\"}"))
                    .setSubject("OrderPlaced")
                    .setContentType("application/json; charset=ISO-8859-1")
                    .setMessageId("jms"));

            service.awaitSettled(orders, 1);
            assertThat(context.getBean(Handlers.class).seen).containsExactly("M\u00fcller");
        }
    }

    /** A mapper that ignores unknown fields would make an order without a number of it. */
    @Test
    void a_structured_cloud_event_is_no_object_without_values() {
        try (var context = app().run();
                var sender = service.client().sender().queueName(orders).buildClient()) {
            sender.sendMessage(new ServiceBusMessage(
                            "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\",\"data\":{\"number\":\"1\"}}")
                    .setSubject("OrderPlaced")
                    .setContentType("application/cloudevents+json; charset=utf-8")
                    .setMessageId("event"));

            service.awaitSettled(orders, 1);
            assertThat(context.getBean(Handlers.class).seen).isEmpty();
            assertThat(service.deadLetters(orders)).isOne();
        }
    }

    @Test
    void a_text_null_in_an_id_is_a_text_and_what_is_in_an_optional_counts() {
        try (var context = app().run()) {
            publish(context, new Placed("null"));
            publish(context, new Optionally("7"));

            service.awaitSettled(orders, 2);
            assertThat(service.bus().journal(orders).stored().stream().map(each -> each.messageId()))
                    .containsExactlyInAnyOrder("placed-null", "7");
        }
    }

    private static void publish(ConfigurableApplicationContext context, Object event) {
        inTransaction(context, outbox -> context.publishEvent(event));
    }

    private static void inTransaction(
            ConfigurableApplicationContext context, java.util.function.Consumer<Outbox> work) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> work.accept(context.getBean(Outbox.class)));
    }

    @OutboxEvent(destination = "${orders}", id = "'placed-' + number")
    record Placed(@Nullable String number) {}

    @OutboxEvent(destination = "${orders}", id = "number()")
    record Optionally(@Nullable String value) {
        public Optional<String> number() {
            return Optional.ofNullable(value);
        }
    }

    @OutboxEvent(destination = "${orders}", id = "'placed-' + number + '-' + 1")
    record InTheMiddle(@Nullable String number) {}

    @OutboxEvent(destination = "${orders}", id = "of")
    record Identity(Object of) {}

    @OutboxEvent(destination = "${orders}", id = "number")
    static final class Classical extends ApplicationEvent {
        private static final long serialVersionUID = 1L;

        private final String number;

        Classical(Object source, String number) {
            super(source);
            this.number = number;
        }

        public String getNumber() {
            return number;
        }
    }

    @MessageType("OrderPlaced")
    record Read(String number) {}

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Handlers handlers() {
            return new Handlers();
        }

        @Bean
        ObjectMapper mapper() {
            return new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        }
    }

    static class Handlers {
        final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @InboxHandler(destination = "${orders}")
        void read(Read order) {
            seen.add(order.number());
        }
    }
}
