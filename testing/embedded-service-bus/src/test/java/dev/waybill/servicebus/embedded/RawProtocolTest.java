package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The parts of the dialect for which the released Java client has no call. */
@SuppressWarnings("JavaUtilDate") // The AMQP codec knows timestamps as dates.
@EmbeddedOnly("speaks AMQP without the client library")
class RawProtocolTest extends BusTest {
    private RawClient raw;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("via")
                .queue("orders")
                .queue("wallet-tx", q -> q.requiresSession())
                .queue("partitioned", q -> q.partitioned(true));
    }

    @BeforeEach
    void connect() {
        raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
    }

    private static @Nullable Object body(Message answer) {
        return ((AmqpValue) answer.getBody()).getValue();
    }

    private static @Nullable Object property(Message answer, String name) {
        return answer.getApplicationProperties().getValue().get(name);
    }

    private static List<Object> array(Message answer, String key) {
        Object array = body(answer) instanceof Map<?, ?> map ? map.get(key) : null;
        return array instanceof Object[] elements ? List.of(elements) : List.of();
    }

    @Test
    void a_message_sent_via_one_entity_arrives_at_another() {
        assertThat(raw.sendVia("via", "orders", RawClient.message("m1"))).isEqualTo("accepted");
        assertThat(bus.inspect("via").active()).isZero();
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void sending_via_an_entity_to_one_that_is_not_there_is_refused_at_the_attach() {
        assertThat(raw.sendVia("via", "missing", RawClient.message("m1"))).contains("amqp:not-found");
    }

    @Test
    void sending_via_checks_what_the_target_asks_for() {
        assertThat(raw.sendVia("via", "wallet-tx", RawClient.message("no session")))
                .contains("amqp:not-allowed");
    }

    @Test
    void a_transfer_that_another_one_interrupts_is_taken_in_once() {
        raw.sendAround("orders", RawClient.message("around"), "via", RawClient.message("within"));
        raw.send("orders", "after");

        assertThat(bus.journal("orders").stored())
                .extracting(stored -> stored.messageId())
                .containsExactly("around", "after");
        assertThat(bus.journal("via").storedCount()).isEqualTo(1);
    }

    @Test
    void a_session_id_and_a_partition_key_that_differ_are_refused_by_a_partitioned_entity_only() {
        assertThat(raw.sendBytes("partitioned", RawClient.message("m1", "w1", "p1")))
                .contains("amqp:not-allowed")
                .contains("PartitionKey 'p1'");
        assertThat(raw.sendBytes("partitioned", RawClient.message("m2", "w1", "w1")))
                .isEqualTo("accepted");
        assertThat(raw.sendBytes("orders", RawClient.message("m3", "w1", "p1"))).isEqualTo("accepted");
        assertThat(bus.journal("partitioned").storedCount()).isEqualTo(1);
    }

    @Test
    void sessions_with_messages_are_listed() {
        clients.sender("wallet-tx")
                .sendMessages(
                        List.of(Clients.message("a", "w2"), Clients.message("b", "w1"), Clients.message("c", "w2")));
        Message answer = raw.request("wallet-tx/$management", "get-message-sessions", Map.of());
        assertThat(array(answer, "sessions-ids")).containsExactly("w1", "w2");
    }

    @Test
    void listing_sessions_where_there_are_none_brings_nothing() {
        Message answer = raw.request("wallet-tx/$management", "get-message-sessions", Map.of());
        assertThat(property(answer, "statusCode")).isEqualTo(204);
    }

    @Test
    void an_operation_that_is_not_known_is_refused_with_its_name() {
        Message answer = raw.request("orders/$management", "make-coffee", Map.of());
        assertThat(property(answer, "statusCode")).isEqualTo(500);
        assertThat(property(answer, "statusDescription")).asString().contains("make-coffee");
    }

    @Test
    void an_argument_that_is_missing_is_named() {
        Message answer = raw.request("orders/$management", "peek-message", Map.of());
        assertThat(property(answer, "statusCode")).isEqualTo(400);
        assertThat(property(answer, "statusDescription")).asString().contains("from-sequence-number");
    }

    @Test
    void an_argument_of_the_wrong_type_is_named() {
        Map<String, Object> body = new HashMap<>();
        body.put("lock-tokens", List.of("no uuid"));
        Message answer = raw.request("orders/$management", "renew-lock", body);
        assertThat(property(answer, "statusCode")).isEqualTo(400);
        assertThat(property(answer, "statusDescription")).asString().contains("lock-tokens");
    }

    @Test
    void the_management_node_of_an_entity_that_is_not_there_says_so() {
        Message answer = raw.request("missing/$management", "peek-message", Map.of("from-sequence-number", 0L));
        assertThat(property(answer, "statusCode")).isEqualTo(404);
    }

    @Test
    void several_locks_are_renewed_in_one_request() {
        clients.sender("orders").sendMessages(List.of(Clients.message("a"), Clients.message("b")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        Object[] tokens = Clients.receive(receiver, 2).stream()
                .map(message -> UUID.fromString(message.getLockToken()))
                .toArray();
        Message answer = raw.request("orders/$management", "renew-lock", Map.of("lock-tokens", Arrays.asList(tokens)));
        assertThat(property(answer, "statusCode")).isEqualTo(200);
        assertThat(array(answer, "expirations")).hasSize(2);
    }

    @Test
    void a_message_may_still_be_completed_after_its_session_was_closed() {
        clients.sender("wallet-tx").sendMessage(Clients.message("a", "w1"));
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        String token = Clients.receiveOne(session).getLockToken();
        session.close();
        Map<String, Object> body = new HashMap<>();
        body.put("lock-tokens", List.of(UUID.fromString(token)));
        body.put("disposition-status", "completed");
        body.put("session-id", "w1");
        Message answer = raw.request("wallet-tx/$management", "update-disposition", body);
        assertThat(property(answer, "statusCode")).isEqualTo(200);
        assertThat(bus.inspect("wallet-tx").active()).isZero();
    }

    @Test
    void a_message_may_not_be_completed_once_somebody_else_has_its_session() {
        clients.sender("wallet-tx").sendMessage(Clients.message("a", "w1"));
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        String token = Clients.receiveOne(session).getLockToken();
        session.close();
        Clients.receiveOne(clients.session("wallet-tx", "w1"));
        Map<String, Object> body = new HashMap<>();
        body.put("lock-tokens", List.of(UUID.fromString(token)));
        body.put("disposition-status", "completed");
        Message answer = raw.request("wallet-tx/$management", "update-disposition", body);
        assertThat(property(answer, "statusCode")).isEqualTo(410);
        assertThat(bus.inspect("wallet-tx").active()).isEqualTo(1);
    }

    private List<Integer> peekedSizes(long from, int most) {
        Message answer = raw.answering(most)
                .request(
                        "orders/$management", "peek-message", Map.of("from-sequence-number", from, "message-count", 9));
        List<Integer> sizes = new ArrayList<>();
        if (body(answer) instanceof Map<?, ?> map && map.get("messages") instanceof List<?> messages) {
            for (Object message : messages) {
                Object bytes = message instanceof Map<?, ?> entry ? entry.get("message") : null;
                sizes.add(bytes instanceof Binary binary ? binary.getLength() / 1_000 : -1);
            }
        }
        return sizes;
    }

    @Test
    void messages_are_peeked_as_many_at_a_time_as_a_batch_may_have_bytes_and_one_at_least() {
        for (int size : new int[] {100_000, 100_000, 100_000, 257_000}) {
            clients.sender("orders").sendMessage(new ServiceBusMessage(new byte[size]));
        }
        assertThat(peekedSizes(0, 0)).containsExactly(100, 100);
        assertThat(peekedSizes(3, 0)).containsExactly(100);
        assertThat(peekedSizes(4, 0)).containsExactly(257);
    }

    @Test
    void messages_are_peeked_as_many_at_a_time_as_the_link_for_answers_takes() {
        for (int i = 0; i < 9; i++) {
            clients.sender("orders").sendMessage(new ServiceBusMessage(new byte[10_000]));
        }
        assertThat(peekedSizes(0, 35_000)).hasSize(3);
        assertThat(peekedSizes(8, 0)).hasSize(2);
    }

    private @Nullable Object delete(String entity, int count, Instant before) {
        Message answer = raw.request(
                entity + "/$management",
                "batch-delete-messages",
                Map.of("message-count", count, "enqueued-time-utc", Date.from(before)));
        return body(answer) instanceof Map<?, ?> map
                ? map.get("message-count")
                : "status " + property(answer, "statusCode");
    }

    @Test
    void messages_are_deleted_in_one_request_but_for_those_that_are_locked_or_came_later() {
        clients.sender("orders")
                .sendMessages(List.of(Clients.message("a"), Clients.message("b"), Clients.message("c")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        Clients.receiveOne(receiver);

        assertThat(delete("orders", 10, Instant.now().minusSeconds(3600))).isEqualTo("status 204");
        assertThat(delete("orders", 1, Instant.now().plusSeconds(3600))).isEqualTo(1);
        assertThat(bus.inspect("orders").active()).isEqualTo(2);
        assertThat(delete("orders", 10, Instant.now().plusSeconds(3600))).isEqualTo(1);
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
    }
}
