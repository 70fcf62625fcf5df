package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.InboxHandler;
import dev.waybill.test.TestWaybill;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** A test's changes to the broker do not reach the next test. */
class WhatTestsLeaveBehindTest {
    /** Relay and consumers are at work. */
    @Nested
    @WaybillTest(
            background = true,
            classes = Service.class,
            properties = {"waybill.destinations.letters.sessions=false", "waybill.consumers.reader.queue=letters"})
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    class InTheBackground {
        @Autowired
        TestWaybill waybill;

        @Autowired
        Outbox outbox;

        @Autowired
        TransactionTemplate transactions;

        @Test
        @Order(1)
        void a_dead_letter_is_made() {
            transactions.executeWithoutResult(status -> outbox.append(
                    OutboxMessage.to("letters").id("bad").text("bad").build()));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> waybill.deadLettered("letters").hasIds("bad"));
        }

        @Test
        @Order(2)
        void and_is_not_there_in_the_next_test() {
            waybill.deadLettered("letters").isEmpty();
        }
    }

    /** Faults and the broker's clock. */
    @Nested
    @WaybillTest(
            classes = Service.class,
            properties = {"waybill.destinations.letters.sessions=false", "waybill.consumers.reader.queue=letters"})
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    class AtRest {
        @Autowired
        TestWaybill waybill;

        @Autowired
        ServiceConsumers consumers;

        @Autowired
        Outbox outbox;

        @Autowired
        Reader reader;

        @Autowired
        TransactionTemplate transactions;

        @Test
        @Order(1)
        void a_queue_is_made_by_a_test_and_gets_a_message() {
            waybill.bus().createQueue("own", plain -> plain);
            send("own", "m1");
            waybill.published("own").hasIds("m1");
        }

        @Test
        @Order(2)
        void and_its_message_is_not_there_in_the_next_test() {
            waybill.bus().delete("own");
            waybill.bus().createQueue("own", plain -> plain);
            waybill.published("own").isEmpty();
        }

        @Test
        @Order(3)
        void the_broker_is_suspended() {
            waybill.bus().suspend();
        }

        @Test
        @Order(4)
        void and_works_in_the_next_test() throws Exception {
            transactions.executeWithoutResult(status -> outbox.append(
                    OutboxMessage.to("letters").id("m2").text("good").build()));
            assertThat(waybill.publish()).isOne();
            consumers.of("reader").handleAll().hasIds("m2");
        }

        private void send(String queue, String id) {
            try (var sender = new ServiceBusClientBuilder()
                    .connectionString(waybill.connectionString())
                    .sender()
                    .queueName(queue)
                    .buildClient()) {
                sender.sendMessage(new ServiceBusMessage(id).setMessageId(id));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {
        @Bean
        Reader reader() {
            return new Reader();
        }
    }

    static class Reader {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @InboxHandler(destination = "letters")
        Verdict read(InboundMessage message) {
            seen.add(message.id());
            return message.text().equals("bad") ? Verdict.deadLetter("Bad", "bad") : Verdict.done();
        }
    }
}
