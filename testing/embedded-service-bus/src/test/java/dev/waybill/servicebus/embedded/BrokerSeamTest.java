package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.Test;

/** Features that meet: send-via with a schedule, delayed deliveries with locks, requests that make no sense. */
@EmbeddedOnly("speaks AMQP without the client library, and injects faults")
@SuppressWarnings("JavaUtilDate") // The AMQP codec knows timestamps as dates.
class BrokerSeamTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("via").queue("orders").queue("wallet-tx", q -> q.requiresSession());
    }

    private RawClient connected() {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        return raw;
    }

    private static void ask(RawClient raw) {
        raw.request("via/$management", "peek-message", Map.of("from-sequence-number", 0L, "message-count", 1));
    }

    private static Message sessions(RawClient raw, int skip, int top) {
        return raw.request(
                "wallet-tx/$management",
                "get-message-sessions",
                Map.of("last-updated-time", new Date(0), "skip", skip, "top", top));
    }

    @Test
    void a_message_sent_via_another_entity_for_later_does_not_arrive_at_once() {
        Message later = Message.Factory.create();
        later.setMessageId("m1");
        later.setBody(new AmqpValue("body"));
        Map<Symbol, Object> annotations = new HashMap<>();
        annotations.put(
                Symbol.valueOf("x-opt-scheduled-enqueue-time"),
                Date.from(Instant.now().plusSeconds(3600)));
        later.setMessageAnnotations(new MessageAnnotations(annotations));
        assertThat(connected().sendVia("via", "orders", RawClient.encoded(later)))
                .isEqualTo("accepted");

        assertThat(bus.inspect("orders").active()).isZero();
        bus.advance(Duration.ofHours(2));
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
    }

    @Test
    void a_delivery_that_is_delayed_beyond_its_lock_is_not_made_with_the_lock_of_another_receiver()
            throws InterruptedException {
        FaultHandle delayed = bus.faults()
                .at(FaultPoint.BEFORE_DELIVER)
                .entity("orders")
                .times(1)
                .then(FaultAction.delay(Duration.ofMillis(600)));
        RawClient slow = connected();
        Receiver late = slow.newReceiver("late");
        slow.attach(late, "orders", Map.of());
        late.flow(1);
        clients.sender("orders").sendMessage(Clients.message("m1"));
        slow.until(() -> late.getCredit() == 1);
        delayed.awaitHits(1, Duration.ofSeconds(5));
        bus.expireLocks("orders");

        ServiceBusReceiverClient other = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(other);
        assertThat(held.getDeliveryCount()).isEqualTo(1);
        long end = System.nanoTime() + Duration.ofMillis(900).toNanos();
        while (System.nanoTime() < end) {
            ask(slow);
        }
        assertThat(late.current()).isNull();
        other.complete(held);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_page_of_sessions_of_less_than_nothing_is_refused_and_the_connection_lives() {
        RawClient raw = connected();
        for (int[] page : List.of(new int[] {-1, 10}, new int[] {0, -1})) {
            Message answer = sessions(raw, page[0], page[1]);
            assertThat(answer.getApplicationProperties().getValue().get("statusCode"))
                    .isEqualTo(400);
        }
    }

    @Test
    void a_transaction_takes_a_hundred_messages_and_no_more() {
        RawClient raw = connected();
        RawCoordinator coordinator = RawCoordinator.attached(raw, "c");
        Binary full = coordinator.declare();
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            answers.add(coordinator.send(full, "orders", "m" + i).getClass().getSimpleName());
        }
        assertThat(answers).containsExactly("TransactionalState");
        assertThat(coordinator.discharge(full, false)).isInstanceOf(Accepted.class);
        assertThat(bus.inspect("orders").active()).isEqualTo(100);

        Binary tooMany = coordinator.declare();
        DeliveryState last = Accepted.getInstance();
        for (int i = 0; i < 101; i++) {
            last = coordinator.send(tooMany, "orders", "n" + i);
        }
        assertThat(last).isInstanceOf(Rejected.class);
        assertThat(coordinator.discharge(tooMany, false)).isInstanceOf(Rejected.class);
        assertThat(bus.inspect("orders").active()).isEqualTo(100);
    }

    @Test
    void a_commit_of_a_transaction_that_is_unknown_is_answered_although_a_fault_rejects_it() {
        bus.faults().at(FaultPoint.COMMIT).then(FaultAction.reject(BrokerError.SERVER_BUSY));
        RawCoordinator coordinator = RawCoordinator.attached(connected(), "c");
        assertThat(coordinator.discharge(new Binary(new byte[] {1}), false)).isInstanceOf(Rejected.class);
    }

    @Test
    void a_session_state_that_is_larger_than_a_message_may_be_is_refused() {
        RawClient raw = connected();
        raw.attachToSession(raw.newReceiver("mine"), "wallet-tx", "s1");
        assertThat(setState(raw, 256 * 1024)).isEqualTo("200");
        assertThat(setState(raw, 256 * 1024 + 1)).isNotEqualTo("200");
    }

    private static String setState(RawClient raw, int size) {
        Map<String, Object> body = Map.of("session-id", "s1", "session-state", new Binary(new byte[size]));
        Map<String, Object> answer = raw.request("wallet-tx/$management", "set-session-state", body)
                .getApplicationProperties()
                .getValue();
        return String.valueOf(answer.get("statusCode"));
    }

    @Test
    void answers_that_nobody_takes_do_not_pile_up() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        RawClient raw = connected();
        Receiver answers = raw.newReceiver("answers");
        raw.attach(answers, "orders/$management", Map.of());
        Sender requests = raw.sender("orders/$management");
        Message request = Message.Factory.create();
        request.setApplicationProperties(new ApplicationProperties(Map.of("operation", "com.microsoft:peek-message")));
        request.setReplyTo("answers");
        request.setBody(new AmqpValue(Map.of("from-sequence-number", 0L, "message-count", 1)));
        byte[] bytes = RawClient.encoded(request);
        int sent = 0;
        long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        while (sent < 5_000 && System.nanoTime() < end) {
            if (requests.getCredit() <= 0) {
                break;
            }
            Delivery delivery = requests.delivery(new byte[] {(byte) sent, (byte) (sent >> 8)});
            requests.send(bytes, 0, bytes.length);
            requests.advance();
            delivery.settle();
            sent++;
            if (sent % 50 == 0) {
                ask(raw);
            }
        }
        assertThat(sent).isLessThan(5_000);
        int asked = sent;

        answers.flow(asked);
        int[] taken = {0};
        raw.until(() -> {
            while (answers.current() != null && answers.current().isReadable()) {
                answers.recv(new byte[4096], 0, 4096);
                answers.advance();
                taken[0]++;
            }
            return taken[0] == asked && requests.getCredit() == 100;
        });
    }

    @Test
    void the_basic_tier_has_no_transactions() {
        try (EmbeddedServiceBus basic = EmbeddedServiceBus.builder()
                        .tier(Tier.BASIC)
                        .queue("orders")
                        .start();
                RawClient raw = RawClient.connect(basic.port())) {
            raw.open();
            assertThatThrownBy(() -> RawCoordinator.attached(raw, "c").declare())
                    .hasMessageContaining("amqp:not-allowed")
                    .hasMessageContaining("Transaction is unsupported because the namespace");
        }
    }
}
