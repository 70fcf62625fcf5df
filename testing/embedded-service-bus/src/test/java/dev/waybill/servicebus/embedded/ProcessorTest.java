package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessageContext;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProcessorTest extends NamespaceCase {
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.lockDuration(Duration.ofMinutes(1)).maxDeliveryCount(3))
                .queue("wallet-tx", q -> q.requiresSession())
                .topic("events", t -> t.subscription("all"));
    }

    private ServiceBusProcessorClient process(Consumer<ServiceBusReceivedMessageContext> handler) {
        ServiceBusProcessorClient processor = clients.track(clients.builder(5)
                .processor()
                .queueName(bus.name("orders"))
                .maxConcurrentCalls(4)
                .processMessage(handler)
                .processError(error -> {})
                .buildProcessorClient());
        processor.start();
        return processor;
    }

    private ServiceBusProcessorClient processSessions(Consumer<ServiceBusReceivedMessageContext> handler) {
        ServiceBusProcessorClient processor = clients.track(clients.builder(5)
                .sessionProcessor()
                .queueName(bus.name("wallet-tx"))
                .maxConcurrentSessions(4)
                .sessionIdleTimeout(Duration.ofMillis(200))
                .processMessage(handler)
                .processError(error -> {})
                .buildProcessorClient());
        processor.start();
        return processor;
    }

    private void sendMany(String queue, int count) {
        List<ServiceBusMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(Clients.message("m" + i));
        }
        clients.sender(queue).sendMessages(messages);
    }

    @Test
    void a_processor_handles_and_completes_every_message_once() {
        process(context -> handled.add(context.getMessage().getMessageId()));
        sendMany("orders", 200);
        await().until(() -> bus.inspect("orders").active() == 0);
        assertThat(handled).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void a_handler_that_throws_gets_the_message_again_and_then_it_is_a_dead_letter() {
        process(context -> {
            handled.add(context.getMessage().getMessageId());
            throw new IllegalStateException("as planned");
        });
        sendMany("orders", 1);
        await().until(() -> bus.inspect("orders").deadLetters() == 1);
        assertThat(handled).hasSize(3);
    }

    @Test
    void a_processor_started_before_its_messages_gets_them() {
        process(context -> handled.add(context.getMessage().getMessageId()));
        await().until(() -> bus.connectionCount() > 0);
        sendMany("orders", 1);
        await().until(() -> handled.contains("m0"));
    }

    @Test
    void a_processor_of_a_subscription_works_alike() {
        ServiceBusProcessorClient processor = clients.track(clients.builder(5)
                .processor()
                .topicName(bus.name("events"))
                .subscriptionName("all")
                .processMessage(context -> handled.add(context.getMessage().getMessageId()))
                .processError(error -> {})
                .buildProcessorClient());
        processor.start();
        clients.topicSender("events").sendMessage(Clients.message("m1"));
        await().until(() -> bus.inspect("events/Subscriptions/all").active() == 0 && handled.contains("m1"));
    }

    @Test
    void a_session_processor_keeps_the_order_of_every_session() {
        List<ServiceBusMessage> messages = new ArrayList<>();
        for (int i = 0; i < 160; i++) {
            messages.add(Clients.message(String.format("%04d", i), "w" + i % 8));
        }
        clients.sender("wallet-tx").sendMessages(messages);
        Map<String, List<String>> bySession = new ConcurrentHashMap<>();
        processSessions(context -> bySession
                .computeIfAbsent(
                        String.valueOf(context.getMessage().getSessionId()),
                        key -> Collections.synchronizedList(new ArrayList<>()))
                .add(context.getMessage().getMessageId()));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> bus.inspect("wallet-tx").active() == 0);
        assertThat(bySession).hasSize(8);
        assertThat(bySession.values())
                .allSatisfy(ids -> assertThat(ids).hasSize(20).isSorted());
    }

    @Test
    void a_session_processor_lets_idle_sessions_go() {
        clients.sender("wallet-tx").sendMessage(Clients.message("a", "w1"));
        processSessions(context -> handled.add(context.getMessage().getMessageId()));
        await().until(() -> handled.contains("a"));
        await().until(() -> bus.inspect("wallet-tx").sessions().isEmpty());
    }

    @Test
    @Tag("long")
    void a_processor_survives_a_cut_connection() {
        process(context -> handled.add(context.getMessage().getMessageId()));
        sendMany("orders", 5);
        await().until(() -> handled.size() >= 5);
        bus.dropConnections();
        clients.sender("orders").sendMessage(Clients.message("after"));
        await().atMost(Duration.ofSeconds(30)).until(() -> handled.contains("after"));
    }

    @Test
    void a_message_delivered_twice_is_handled_twice() {
        bus.faults()
                .at(FaultPoint.DELIVERED)
                .entity("orders")
                .message("m0")
                .times(1)
                .then(FaultAction.deliverTwice());
        process(context -> handled.add(context.getMessage().getMessageId()));
        sendMany("orders", 3);
        await().until(() -> bus.inspect("orders").active() == 0);
        assertThat(handled).containsExactlyInAnyOrder("m0", "m0", "m1", "m2");
    }

    @Test
    void two_processors_share_the_messages() {
        Queue<String> other = new ConcurrentLinkedQueue<>();
        process(context -> handled.add(context.getMessage().getMessageId()));
        process(context -> other.add(context.getMessage().getMessageId()));
        await().until(() -> bus.connectionCount() == 2);
        for (int i = 0; i < 5; i++) {
            sendMany("orders", 100);
        }
        await().until(() -> bus.inspect("orders").active() == 0);
        assertThat(handled.size() + other.size()).isEqualTo(500);
        assertThat(handled).isNotEmpty();
        assertThat(other).isNotEmpty();
    }
}
