package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.models.SubQueue;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.MessageType;
import dev.waybill.spring.OutboxEvent;
import dev.waybill.spring.TestService;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Objects from an append, or from an event that is published, to the handler that takes them. */
@ExtendWith(TestService.Extension.class)
class TypedMessagesTest {
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
    void an_object_that_is_appended_is_the_one_that_its_handler_takes() {
        try (var context = app().and(OneMapper.class).run()) {
            inTransaction(
                    context,
                    outbox -> outbox.append(outbox.message(orders)
                            .id("o-1")
                            .body(new Placed("1", 7))
                            .build()));

            service.awaitSettled(orders, 1);
            assertThat(context.getBean(Handlers.class).seen)
                    .containsExactly("Placed[number=1, pieces=7] type-version=2");
        }
    }

    @Test
    void a_message_of_a_former_name_and_with_unknown_fields_is_handled_by_the_renamed_type() {
        try (var context = app().and(OneMapper.class).run()) {
            inTransaction(
                    context,
                    outbox -> outbox.append(OutboxMessage.to(orders)
                            .id("o-2")
                            .subject("OrderCreated")
                            .json("{\"number\":\"2\",\"pieces\":3,\"colour\":\"red\"}")
                            .build()));

            service.awaitSettled(orders, 1);
            assertThat(context.getBean(Handlers.class).seen).containsExactly("Placed[number=2, pieces=3] {}");
        }
    }

    @Test
    void a_body_in_the_charset_of_its_content_type_is_read_in_it_and_a_foreign_envelope_is_named() {
        try (var context = app().and(OneMapper.class).run();
                var sender = new ServiceBusClientBuilder()
                        .connectionString(service.bus().connectionString())
                        .sender()
                        .queueName(orders)
                        .buildClient();
                var dead = new ServiceBusClientBuilder()
                        .connectionString(service.bus().connectionString())
                        .receiver()
                        .queueName(orders)
                        .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                        .buildClient()) {
            sender.sendMessage(latin("o-3", "{\"number\":\"M\u00fcller\",\"pieces\":3}")
                    .setContentType("application/json; charset=iso-8859-1"));
            sender.sendMessage(latin("o-4", "@\u0006string\b3http://schemas.microsoft.com/2003/10/Serialization/{}"));

            service.awaitSettled(orders, 2);
            assertThat(context.getBean(Handlers.class).seen).containsExactly("Placed[number=M\u00fcller, pieces=3] {}");
            assertThat(dead.peekMessages(2))
                    .singleElement()
                    .extracting(letter -> letter.getDeadLetterErrorDescription())
                    .asString()
                    .contains("DataContractSerializer");
        }
    }

    private static ServiceBusMessage latin(String id, String body) {
        return new ServiceBusMessage(body.getBytes(StandardCharsets.ISO_8859_1))
                .setMessageId(id)
                .setSubject("OrderCreated");
    }

    @Test
    void an_event_is_appended_in_its_publishers_transaction_and_not_without_the_commit() {
        try (var context = app().and(OneMapper.class).run()) {
            var shop = context.getBean(Publisher.class);
            assertThatThrownBy(() -> shop.publishAndFail(new Cancelled("3", "c")))
                    .hasMessage("after the event");
            shop.publish(new Cancelled("4", "c"));

            service.awaitSettled(orders, 1);
            assertThat(context.getBean(Handlers.class).seen).containsExactly("cancelled-4 Cancelled 4");
            assertThat(service.bus().journal(orders).storedCount()).isOne();
        }
    }

    @Test
    void an_event_outside_a_transaction_is_refused_also_by_a_context_whose_listeners_are_asynchronous() {
        try (var context =
                app().and(OneMapper.class).and(AsynchronousListeners.class).run()) {
            assertThatThrownBy(() -> context.publishEvent(new Cancelled("5", "c")))
                    .isInstanceOf(NoTransactionException.class);
            context.getBean(Publisher.class).publish(new Cancelled("6", "c"));

            service.awaitSettled(orders, 1);
        }
    }

    @Test
    void an_event_whose_id_cannot_be_had_fails_its_publisher_with_the_expression() {
        try (var context = app().and(OneMapper.class).run()) {
            var shop = context.getBean(Publisher.class);
            assertThatThrownBy(() -> shop.publish(new WithoutId(null)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("WithoutId: its id 'number' is null");
            assertThatThrownBy(() -> shop.publish(new Misspelt("x")))
                    .hasMessageContaining("Misspelt: its id 'nummer' fails")
                    .hasMessageContaining("nummer");
            assertThatThrownBy(() -> shop.publish(new Broken("x")))
                    .hasMessageContaining("Broken: its id 'number +' is no expression");
        }
    }

    @Test
    void of_several_mappers_the_named_one_writes_and_reads() {
        try (var context = app().and(TwoMappers.class)
                .with("waybill.object-mapper", "strict")
                .run()) {
            inTransaction(
                    context,
                    outbox -> outbox.append(List.of(
                            outbox.message(orders)
                                    .id("o-7")
                                    .body(new Placed("7", 1))
                                    .build(),
                            OutboxMessage.to(orders)
                                    .id("o-8")
                                    .subject("OrderPlaced")
                                    .json("{\"number\":\"8\",\"pieces\":3,\"colour\":\"red\"}")
                                    .build())));

            service.awaitSettled(orders, 2);
            assertThat(context.getBean(Handlers.class).seen).hasSize(1);
            assertThat(service.deadLetters(orders)).as("unknown fields").isOne();
        }
    }

    @Test
    void two_mappers_without_a_choice_stop_the_start_of_a_service_whose_handlers_take_objects() {
        assertThatThrownBy(() -> app().and(TwoMappers.class).run().close())
                .rootCause()
                .hasMessageContaining("[lenient, strict]")
                .hasMessageContaining("waybill.object-mapper");
    }

    @Test
    void a_converter_of_the_services_own_writes_and_reads_in_the_place_of_json() {
        try (var context = app().and(OwnConverter.class).run()) {
            inTransaction(
                    context,
                    outbox -> outbox.append(outbox.message(orders)
                            .id("o-9")
                            .body(new Placed("9", 5))
                            .build()));

            service.awaitSettled(orders, 1);
            assertThat(context.getBean(Handlers.class).seen).containsExactly("Placed[number=9, pieces=5] {}");
        }
    }

    private static void inTransaction(ConfigurableApplicationContext context, Consumer<Outbox> work) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> work.accept(context.getBean(Outbox.class)));
    }

    @MessageType(value = "OrderPlaced", version = 2, formerly = "OrderCreated")
    record Placed(String number, int pieces) {}

    @OutboxEvent(destination = "${orders}", id = "'cancelled-' + number", session = "customer")
    record Cancelled(String number, String customer) {}

    @OutboxEvent(destination = "${orders}", id = "number")
    record WithoutId(@Nullable String number) {}

    @OutboxEvent(destination = "${orders}", id = "nummer")
    record Misspelt(String number) {}

    @OutboxEvent(destination = "${orders}", id = "number +")
    record Broken(String number) {}

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Publisher publisher(ApplicationEventPublisher events) {
            return new Publisher(events);
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }
    }

    static class Publisher {
        private final ApplicationEventPublisher events;

        Publisher(ApplicationEventPublisher events) {
            this.events = events;
        }

        @Transactional
        public void publish(Object event) {
            events.publishEvent(event);
        }

        @Transactional
        public void publishAndFail(Object event) {
            events.publishEvent(event);
            throw new IllegalStateException("after the event");
        }
    }

    static class Handlers {
        final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @InboxHandler(destination = "${orders}")
        void placed(Placed order, InboundMessage message) {
            Object version = message.headers().get(MessageType.VERSION_HEADER);
            seen.add(order + (version == null ? " {}" : " type-version=" + version));
        }

        @InboxHandler(destination = "${orders}", subject = "Cancelled")
        void cancelled(Map<String, String> order, InboundMessage message) {
            seen.add(message.id() + " " + message.subject().orElse("") + " " + order.get("number"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneMapper {
        @Bean
        ObjectMapper mapper() {
            return lenient();
        }
    }

    private static ObjectMapper lenient() {
        return new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoMappers {
        @Bean
        ObjectMapper lenient() {
            return TypedMessagesTest.lenient();
        }

        @Bean
        ObjectMapper strict() {
            return new ObjectMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AsynchronousListeners {
        @Bean
        SimpleApplicationEventMulticaster applicationEventMulticaster() {
            var multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
            return multicaster;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConverter {
        @Bean
        BodyConverter lines() {
            return new BodyConverter() {
                @Override
                public Written write(Object object) {
                    var placed = (Placed) object;
                    return new Written(
                            (placed.number() + "\n" + placed.pieces()).getBytes(StandardCharsets.UTF_8),
                            "text/x-lines",
                            "OrderPlaced",
                            Map.of());
                }

                @Override
                public Object read(InboundMessage message, Type type) {
                    assertThat(message.contentType()).contains("text/x-lines");
                    String[] lines = message.text().split("\n", -1);
                    return new Placed(lines[0], Integer.parseInt(lines[1]));
                }
            };
        }
    }
}
