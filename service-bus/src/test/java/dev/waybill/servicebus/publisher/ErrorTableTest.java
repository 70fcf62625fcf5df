package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.ErrorClass;
import dev.waybill.servicebus.ServiceBusError;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each condition that the broker can answer ends in the class that the table states, and no message is lost or falsely held. */
class ErrorTableTest extends FailureCase {
    private static final Duration LONG = Duration.ofSeconds(40);

    private static ServiceBusError error(BrokerError condition) {
        return Arrays.stream(ServiceBusError.values())
                .filter(error -> error.condition().equals(condition.condition()))
                .findFirst()
                .orElseThrow();
    }

    /** What Waybill does depends on the class alone; that a condition has its class in the table, the next test shows of all. */
    private static List<BrokerError> oneOfEachClass() {
        var first = new EnumMap<ErrorClass, BrokerError>(ErrorClass.class);
        for (BrokerError condition : BrokerError.values()) {
            first.putIfAbsent(error(condition).type(), condition);
        }
        return List.copyOf(first.values());
    }

    private static List<BrokerError> theOthersOfTheirClass() {
        return Arrays.stream(BrokerError.values())
                .filter(condition -> !oneOfEachClass().contains(condition))
                .toList();
    }

    @Test
    void every_condition_of_the_broker_has_a_row_of_the_table() {
        Set<String> known = Arrays.stream(ServiceBusError.values())
                .map(ServiceBusError::condition)
                .collect(Collectors.toSet());

        assertThat(BrokerError.values()).allSatisfy(error -> assertThat(known).contains(error.condition()));
    }

    @ParameterizedTest
    @MethodSource("oneOfEachClass")
    void a_send_that_the_broker_refuses_ends_in_its_class_and_every_message_arrives_or_is_held(BrokerError condition)
            throws InterruptedException {
        sendRefusedWith(condition);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("theOthersOfTheirClass")
    void a_send_that_any_other_condition_refuses_ends_in_its_class(BrokerError condition) throws InterruptedException {
        sendRefusedWith(condition);
    }

    private void sendRefusedWith(BrokerError condition) throws InterruptedException {
        ErrorClass type = error(condition).type();
        FaultHandle fault = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .message("suspect")
                .times(type == ErrorClass.MESSAGE ? Integer.MAX_VALUE : 2)
                .then(FaultAction.reject(condition));
        append("orders", "s1", "suspect");
        append("orders", "s1", "behind");
        append("orders", "s2", "other");
        startRelay();

        assertThat(fault.awaitHits(1, LONG)).isTrue();
        if (type == ErrorClass.MESSAGE) {
            awaitStored("orders", 1);
            await().untilAsserted(() -> assertThat(heldIds()).containsExactly("suspect", "behind"));
        } else if (type == ErrorClass.DESTINATION) {
            await().untilAsserted(() -> assertThat(destinations.refused()).isNotEmpty());
            awaitNoneHeldAndStored("orders", 3);
        } else {
            awaitNoneHeldAndStored("orders", 3);
            assertThat(arrived("orders").get("s1")).containsExactly("suspect", "behind");
            assertThat(destinations.refused()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("oneOfEachClass")
    void a_receiver_that_the_broker_refuses_backs_off_and_receives_in_the_end(BrokerError condition)
            throws InterruptedException {
        receiverRefusedWith(condition);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("theOthersOfTheirClass")
    void a_receiver_that_any_other_condition_refuses_receives_in_the_end(BrokerError condition)
            throws InterruptedException {
        receiverRefusedWith(condition);
    }

    private void receiverRefusedWith(BrokerError condition) throws InterruptedException {
        FaultHandle refused = bus.faults()
                .at(FaultPoint.ATTACH)
                .entity("small")
                .operation("receive")
                .times(1)
                .then(FaultAction.reject(condition));
        List<String> handled = new java.util.concurrent.CopyOnWriteArrayList<>();
        var source = ServiceBusSource.ofQueue(
                () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()), "small");
        send();
        try (InboxConsumer consumer = InboxConsumer.builder(database.dataSource())
                .schema(schema)
                .name("table")
                .source(source)
                .concurrency(1)
                .handler((tx, message) -> {
                    handled.add(message.id());
                    return Verdict.done();
                })
                .build()
                .start()) {
            assertThat(refused.awaitHits(1, LONG)).isTrue();
            await().atMost(LONG).untilAsserted(() -> assertThat(handled).containsExactly("m1"));
            await().untilAsserted(
                            () -> assertThat(bus.inspect("small").active()).isZero());
            assertThat(bus.inspect("small").deadLetters()).isZero();
            assertThat(consumer.health().isHealthy()).isTrue();
        }
    }

    private void send() {
        try (var sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName("small")
                .buildClient()) {
            sender.sendMessage(new com.azure.messaging.servicebus.ServiceBusMessage("x").setMessageId("m1"));
        }
    }

    @ParameterizedTest
    @MethodSource("oneOfEachClass")
    void a_settlement_that_the_broker_refuses_loses_no_effect_and_repeats_none(BrokerError condition) {
        settlementRefusedWith(condition);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("theOthersOfTheirClass")
    void a_settlement_that_any_other_condition_refuses_loses_no_effect(BrokerError condition) {
        settlementRefusedWith(condition);
    }

    private void settlementRefusedWith(BrokerError condition) {
        bus.faults().at(FaultPoint.BEFORE_SETTLE).entity("small").times(1).then(FaultAction.reject(condition));
        var handled = ConcurrentHashMap.<String>newKeySet();
        bus.update("small", queue -> queue.lockDuration(Duration.ofSeconds(1)));
        send();
        try (InboxConsumer consumer = InboxConsumer.builder(database.dataSource())
                .schema(schema)
                .name("table")
                .source(ServiceBusSource.ofQueue(
                                () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()), "small")
                        .with(facts -> facts.withLockDuration(Duration.ofSeconds(1))))
                .concurrency(1)
                .handler((tx, message) -> {
                    if (!handled.add(message.id())) {
                        throw new IllegalStateException("handled twice");
                    }
                    return Verdict.done();
                })
                .build()
                .start()) {
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(bus.inspect("small").active()).isZero());
            assertThat(bus.inspect("small").deadLetters()).isZero();
            assertThat(consumer.health().hanging()).isEmpty();
        }
    }
}
