package dev.waybill.servicebus.embedded;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Behaviour that clients of other languages, and older ones of Java, rely on and the Java client of today does not. */
@SuppressWarnings("JavaUtilDate") // The AMQP codec knows timestamps as dates.
@EmbeddedOnly("speaks AMQP without the client library")
class OtherClientsTest extends BusTest {
    private static final int QUEUE = 0;
    private static final int TOPIC = 1;
    private static final int SUBSCRIPTION = 2;

    private RawClient raw;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders")
                .queue("wallet-tx", q -> q.requiresSession())
                .topic("events", t -> t.subscription("all"));
    }

    @BeforeEach
    void connect() {
        raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
    }

    @Test
    void a_deferred_message_brings_its_lock_where_older_clients_look_for_it() {
        raw.send("orders", "m1");
        var receiver = clients.receiver("orders");
        receiver.defer(Clients.receiveOne(receiver));

        Message answer = raw.request(
                "orders/$management",
                "com.microsoft:receive-by-sequence-number",
                Map.of("sequence-numbers", List.of(1L), "receiver-settle-mode", UnsignedInteger.ONE));

        Map<?, ?> received = onlyMessage(answer);
        byte[] bytes = ((Binary) requireNonNull(received.get("message"))).getArray();
        Message message = Message.Factory.create();
        message.decode(bytes, 0, bytes.length);
        assertThat(message.getDeliveryAnnotations().getValue())
                .isEqualTo(Map.of(Symbol.valueOf("x-opt-lock-token"), received.get("lock-token")));
    }

    private static Map<?, ?> onlyMessage(Message answer) {
        Map<?, ?> body = (Map<?, ?>) ((AmqpValue) answer.getBody()).getValue();
        List<?> messages = (List<?>) requireNonNull(body.get("messages"));
        assertThat(messages).hasSize(1);
        return (Map<?, ?>) messages.get(0);
    }

    @Test
    void a_drain_is_answered_when_the_messages_used_up_all_credit() {
        raw.send("orders", "m1");
        Receiver receiver = raw.newReceiver("r");
        assertThat(raw.attach(receiver, "orders", Map.of())).isEqualTo("open");

        assertThat(raw.drain(receiver, 1)).isEqualTo(1);
    }

    @Test
    void a_drain_is_answered_when_credit_was_left_and_again_afterwards() {
        raw.send("orders", "m1");
        Receiver receiver = raw.newReceiver("r");
        assertThat(raw.attach(receiver, "orders", Map.of())).isEqualTo("open");

        assertThat(raw.drain(receiver, 5)).isEqualTo(1);
        assertThat(raw.drain(receiver, 5)).isZero();
        raw.send("orders", "m2");
        raw.send("orders", "m3");
        raw.send("orders", "m4");
        assertThat(raw.drain(receiver, 2)).isEqualTo(2);
        assertThat(raw.drain(receiver, 1)).isEqualTo(1);
    }

    @Test
    void more_messages_than_one_burst_come_before_a_drain_is_answered() {
        for (int i = 0; i < 150; i++) {
            raw.send("orders", "m" + i);
        }
        Receiver receiver = raw.newReceiver("r");
        assertThat(raw.attach(receiver, "orders", Map.of())).isEqualTo("open");

        assertThat(raw.drain(receiver, 150)).isEqualTo(150);
    }

    @Test
    void a_drain_of_more_credit_than_a_link_is_given_at_once_brings_all_there_is_before_its_answer() {
        for (int batch = 0; batch < 5; batch++) {
            clients.sender("orders")
                    .sendMessages(IntStream.range(0, 200)
                            .mapToObj(i -> Clients.message("m" + i))
                            .toList());
        }
        Receiver receiver = raw.newReceiver("r");
        assertThat(raw.attach(receiver, "orders", Map.of())).isEqualTo("open");

        assertThat(raw.drain(receiver, 5_000)).isEqualTo(1_000);
        assertThat(raw.drain(receiver, 5_000)).isZero();
        bus.expireLocks("orders");
        bus.update("orders", q -> q.status(EntityStatus.RECEIVE_DISABLED));
        assertThat(raw.drain(receiver, 5_000)).isZero();
        bus.update("orders", q -> q.status(EntityStatus.ACTIVE));
        assertThat(raw.drain(receiver, 300)).isEqualTo(300);
    }

    @Test
    void a_client_that_means_another_kind_of_entity_is_refused() {
        assertThat(sends("orders", TOPIC)).contains("amqp:not-allowed").contains("queue");
        assertThat(sends("events", QUEUE)).contains("amqp:not-allowed").contains("topic");
        assertThat(receives("events/Subscriptions/all", QUEUE)).contains("amqp:not-allowed");
        assertThat(receives("orders", SUBSCRIPTION)).contains("amqp:not-allowed");
        assertThat(receives("orders/$DeadLetterQueue", SUBSCRIPTION)).contains("amqp:not-allowed");
    }

    @Test
    void a_client_that_means_the_right_kind_of_entity_or_none_is_let_in() {
        assertThat(sends("orders", QUEUE)).isEqualTo("open");
        assertThat(sends("events", TOPIC)).isEqualTo("open");
        assertThat(sends("events", -1)).isEqualTo("open");
        assertThat(receives("EVENTS/subscriptions/ALL", SUBSCRIPTION)).isEqualTo("open");
        assertThat(receives("orders/$DeadLetterQueue", QUEUE)).isEqualTo("open");
        assertThat(receives("events/Subscriptions/all/$Transfer/$DeadLetterQueue", SUBSCRIPTION))
                .isEqualTo("open");
    }

    private String sends(String path, int type) {
        return raw.attach(raw.newSender("s" + path + type), path, kind(type));
    }

    private String receives(String path, int type) {
        return raw.attach(raw.newReceiver("r" + path + type), path, kind(type));
    }

    private static Map<Symbol, Object> kind(int type) {
        return Map.of(Symbol.valueOf("com.microsoft:entity-type"), type);
    }

    @Test
    void sessions_are_listed_page_by_page_until_all_have_come() {
        for (int i = 0; i < 110; i++) {
            clients.sender("wallet-tx").sendMessage(Clients.message("m" + i, "wallet " + i));
        }
        List<Object> listed = new ArrayList<>();
        List<Object> ids = page(0, null);
        while (!ids.isEmpty()) {
            listed.addAll(ids);
            ids = page(listed.size(), ids.get(ids.size() - 1));
        }

        assertThat(listed).hasSize(110);
        assertThat(new HashSet<>(listed)).hasSize(110);
    }

    @Test
    void sessions_whose_state_was_set_are_listed_by_the_time_of_that() {
        Instant before = Instant.now().minusSeconds(1);
        clients.sender("wallet-tx")
                .sendMessages(List.of(Clients.message("a", "with state"), Clients.message("b", "without")));
        clients.session("wallet-tx", "with state").setSessionState(new byte[] {1});

        assertThat(sessions(Map.of("last-updated-time", Date.from(before), "skip", 0, "top", 100)))
                .containsExactly("with state");
    }

    // As SessionBrowser of the older Java client asks: with the greatest moment that .NET knows.
    private List<Object> page(int skip, @Nullable Object last) {
        Map<String, Object> body = new HashMap<>();
        body.put("last-updated-time", new Date(253_402_300_800_000L));
        body.put("skip", skip);
        body.put("top", 100);
        if (last != null) {
            body.put("last-session-id", last);
        }
        return sessions(body);
    }

    private List<Object> sessions(Map<String, Object> body) {
        Message answer = raw.request("wallet-tx/$management", "get-message-sessions", body);
        return ((AmqpValue) answer.getBody()).getValue() instanceof Map<?, ?> map
                        && map.get("sessions-ids") instanceof Object[] ids
                ? List.of(ids)
                : List.of();
    }

    @Test
    void a_locked_session_is_refused_by_an_attach_without_source_and_a_detach_that_says_why() {
        clients.sender("wallet-tx").sendMessage(Clients.message("m1", "w1"));
        clients.session("wallet-tx", "w1");
        Receiver second = raw.newReceiver("second");

        assertThat(raw.attachToSession(second, "wallet-tx", "w1")).contains("com.microsoft:session-cannot-be-locked");
        assertThat(second.getRemoteSource()).isNull();
    }
}
