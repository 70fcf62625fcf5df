package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Internal;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.outbox.BodyWriter;
import dev.waybill.outbox.Outbox;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.MessageType;
import dev.waybill.spring.OutboxEvent;
import dev.waybill.spring.TestService;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;

/** The code of docs/guides/spring-messages.md. */
@ExtendWith(TestService.Extension.class)
class MessagesPageTest {
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_code_of_the_page_is_run_here() throws IOException {
        String here = plain(
                Files.readString(Path.of("src/test/java/dev/waybill/spring/autoconfigure/MessagesPageTest.java")));

        assertThat(JAVA.matcher(Files.readString(Path.of("../../docs/guides/spring-messages.md")))
                        .results()
                        .map(block -> plain(block.group(1))))
                .hasSize(4)
                .allSatisfy(code -> assertThat(here).contains(code));
    }

    private static String plain(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void the_pages_objects_and_events_come_to_their_handlers(TestService service) {
        service.bus().createQueue("orders", queue -> queue.requiresSession());
        service.bus().journals().clear();
        try (var context = Apps.on(service)
                .and(Billing.class)
                .with("waybill.destinations.orders.sessions", "true")
                .with("waybill.consumers.billing.queue", "orders")
                .with("waybill.consumers.billing.sessions", "true")
                .with("waybill.consumers.billing.drain", "2s")
                .run()) {
            context.getBean(Shop.class).place(new OrderPlaced("7", "ada"));
            context.getBean(Shop.class).cancel("7", "ada");

            service.awaitSettled("orders", 2);
            assertThat(context.getBean(Ledger.class).booked).containsExactly("7", "cancelled 7");
        } finally {
            service.bus().delete("orders");
        }
    }

    @Test
    void the_pages_protobuf_is_read_as_it_was_written_and_other_bytes_are_unreadable() {
        BodyConverter converter = new Converters().protobuf();
        BodyWriter.Written written = converter.write(StringValue.of("seven"));

        assertThat(written.subject()).isEqualTo("StringValue");
        assertThat(converter.read(withBody(written.body()), StringValue.class)).isEqualTo(StringValue.of("seven"));
        assertThatThrownBy(() -> converter.read(withBody(new byte[] {1, 2, 3}), StringValue.class))
                .isInstanceOf(UnreadableBodyException.class);
    }

    private static InboundMessage withBody(byte[] body) {
        return (InboundMessage) Proxy.newProxyInstance(
                InboundMessage.class.getClassLoader(),
                new Class<?>[] {InboundMessage.class},
                (self, method, given) -> method.getName().equals("body") ? body : null);
    }

    @MessageType(value = "OrderPlaced", version = 2, formerly = "OrderCreated")
    record OrderPlaced(String number, String customer) {}

    @OutboxEvent(destination = "orders", id = "'cancelled-' + number", session = "customer")
    record OrderCancelled(String number, String customer) {}

    static class Converters {
        @Bean
        BodyConverter protobuf() {
            return new BodyConverter() {
                @Override
                public Written write(Object object) {
                    var message = (Message) object;
                    return new Written(
                            message.toByteArray(),
                            "application/protobuf",
                            message.getDescriptorForType().getName(),
                            Map.of());
                }

                @Override
                @SuppressWarnings("unchecked")
                public Object read(InboundMessage message, Type type) {
                    try {
                        return Internal.getDefaultInstance((Class<Message>) type)
                                .getParserForType()
                                .parseFrom(message.body());
                    } catch (InvalidProtocolBufferException e) {
                        throw new UnreadableBodyException("No " + type.getTypeName(), e);
                    }
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {
        @Bean
        Shop shop(Outbox outbox, ApplicationEventPublisher events) {
            return new Shop(outbox, events);
        }

        @Bean
        Ledger ledger() {
            return new Ledger();
        }

        @Bean
        Handlers handlers(Ledger ledger) {
            return new Handlers(ledger);
        }

        @Bean
        ObjectMapper mapper() {
            return new ObjectMapper();
        }
    }

    static class Shop {
        private final Outbox outbox;
        private final ApplicationEventPublisher events;

        Shop(Outbox outbox, ApplicationEventPublisher events) {
            this.outbox = outbox;
            this.events = events;
        }

        @Transactional
        public void place(OrderPlaced order) {
            outbox.append(outbox.message("orders")
                    .id("placed-" + order.number())
                    .session(order.customer())
                    .body(order)
                    .build());
        }

        @Transactional
        public void cancel(String number, String customer) {
            events.publishEvent(new OrderCancelled(number, customer));
        }
    }

    static class Ledger {
        final Queue<String> booked = new ConcurrentLinkedQueue<>();

        void book(String what) {
            booked.add(what);
        }
    }

    static class Handlers {
        private final Ledger ledger;

        Handlers(Ledger ledger) {
            this.ledger = ledger;
        }

        @InboxHandler(destination = "orders")
        void placed(OrderPlaced order) {
            ledger.book(order.number());
        }

        @InboxHandler(destination = "orders", subject = "OrderCancelled")
        void cancelled(OrderCancelled order) {
            ledger.book("cancelled " + order.number());
        }
    }
}
