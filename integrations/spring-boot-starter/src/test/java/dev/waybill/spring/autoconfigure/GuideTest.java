package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.ConsumerCustomizer;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.TestService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** The guide's code is the code of this test. */
@ExtendWith(TestService.Extension.class)
class GuideTest {
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_code_of_the_guide_is_run_here() throws IOException {
        String here = plain(Files.readString(Path.of("src/test/java/dev/waybill/spring/autoconfigure/GuideTest.java")));

        assertThat(JAVA.matcher(Files.readString(Path.of("../../docs/guides/spring-boot.md")))
                        .results()
                        .map(block -> plain(block.group(1))))
                .hasSize(3)
                .allSatisfy(code -> assertThat(here).contains(code));
    }

    @Test
    void the_guides_service_books_an_order_once_and_refuses_what_it_does_not_know(TestService service) {
        service.bus().createQueue("orders", queue -> queue.requiresSession());
        service.bus().journals().clear();
        try (var context = Apps.on(service)
                .and(Billing.class)
                .with("waybill.destinations.orders.sessions", "true")
                .with("waybill.consumers.billing.queue", "orders")
                .with("waybill.consumers.billing.sessions", "true")
                .with("waybill.consumers.billing.drain", "2s")
                .run()) {
            context.getBean(Ledger.class).place(new OrderPlaced("guide-1"));
            context.getBean(Ledger.class).announce("guide-2");
            context.getBean(Ledger.class).place(new OrderPlaced("guide-unknown"));

            service.awaitSettled("orders", 3);
        }
        assertThat(service.bookings("guide-")).containsExactlyInAnyOrder("guide-1", "guide-1-booked", "guide-unknown");
        assertThat(service.deadLetters("orders"))
                .as("another subject, and a refusal")
                .isEqualTo(2);
        service.bus().delete("orders");
    }

    /** dead-letters.md: made with the beans, started when there are tables. */
    @Test
    void a_service_collects_its_dead_letters(TestService service) throws Exception {
        service.bus().createQueue("orders", queue -> queue);
        String schema = "guide_" + ProcessHandle.current().pid();
        try (var context = Apps.on(service)
                .and(DeadLetterCollecting.class)
                .with("waybill.schema", schema)
                .with("waybill.migrations", "apply")
                .with("waybill.features", "events,dead-letters")
                .run()) {
            service.send("orders", "dead-1", "x");
            try (var receiver = service.client()
                    .receiver()
                    .queueName("orders")
                    .disableAutoComplete()
                    .buildClient()) {
                receiver.receiveMessages(1).forEach(receiver::deadLetter);
            }
            var jdbc = context.getBean(JdbcTemplate.class);
            await().until(() -> jdbc.queryForList(
                            "select message_id from " + schema + ".dead_letter_message", String.class)
                    .equals(List.of("dead-1")));
            jdbc.execute("drop schema " + schema + " cascade");
        } finally {
            service.bus().delete("orders");
        }
    }

    private static String plain(String code) {
        return code.replaceAll("\\s+", "");
    }

    record OrderPlaced(String number) {}

    static final class UnknownWalletException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {
        @Bean
        Ledger ledger(JdbcTemplate jdbc, Outbox outbox) {
            return new Ledger(jdbc, outbox);
        }

        @Bean
        Handlers handlers(Ledger ledger) {
            return new Handlers(ledger);
        }

        @Bean
        ObjectMapper mapper() {
            return new ObjectMapper();
        }

        @Bean
        ConsumerCustomizer unknownWalletsAreNotRetried() {
            return (consumer, settings) -> settings.failures(thrown ->
                    thrown instanceof UnknownWalletException ? Optional.of(FailureKind.PERMANENT) : Optional.empty());
        }

        @Bean
        ConsumerCustomizer patience() {
            return (consumer, settings) -> settings.retries(
                    new RetryPolicy(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofSeconds(10)));
        }
    }

    static class Ledger {
        private final JdbcTemplate jdbc;
        private final Outbox outbox;

        Ledger(JdbcTemplate jdbc, Outbox outbox) {
            this.jdbc = jdbc;
            this.outbox = outbox;
        }

        @Transactional
        public void place(OrderPlaced order) {
            jdbc.update("insert into booking (what) values (?)", order.number());
            outbox.append(outbox.message("orders")
                    .id("placed-" + order.number())
                    .session(order.number())
                    .body(order)
                    .build());
        }

        @Transactional
        public void announce(String order) {
            outbox.append(OutboxMessage.to("orders")
                    .id("announced-" + order)
                    .session(order)
                    .subject("OrderAnnounced")
                    .text(order)
                    .build());
        }

        @Transactional
        public void book(String order) {
            if (order.contains("unknown")) {
                throw new UnknownWalletException();
            }
            jdbc.update("insert into booking (what) values (?)", order + "-booked");
        }
    }

    static class Handlers {
        private final Ledger ledger;

        Handlers(Ledger ledger) {
            this.ledger = ledger;
        }

        @InboxHandler(destination = "orders", subject = "OrderPlaced")
        void placed(OrderPlaced order) {
            ledger.book(order.number());
        }

        @InboxHandler(destination = "orders")
        Verdict other(InboundMessage message) {
            return Verdict.deadLetter(
                    "UnknownSubject", "Billing knows no " + message.subject().orElse("such message"));
        }
    }
}
