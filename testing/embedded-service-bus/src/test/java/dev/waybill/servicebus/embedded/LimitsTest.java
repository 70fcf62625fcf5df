package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Sender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimitsTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders")
                .queue("tiny", q -> q.maxMessageBytes(2048))
                .queue("full", q -> q.maxSizeBytes(3000))
                .queue("partitioned", q -> q.partitioned(true).duplicateDetection(Duration.ofMinutes(5)));
    }

    @Test
    void the_client_learns_the_largest_message_from_the_link() {
        ServiceBusMessageBatch batch = clients.sender("orders").createMessageBatch();
        assertThat(batch.getMaxSizeInBytes()).isEqualTo(256 * 1024);
        assertThat(clients.sender("tiny").createMessageBatch().getMaxSizeInBytes())
                .isEqualTo(2048);
    }

    @Test
    void a_message_larger_than_the_link_allows_is_refused() {
        ServiceBusSenderClient sender = clients.sender("tiny");
        assertThatThrownBy(() -> sender.sendMessage(new ServiceBusMessage(new byte[4096])))
                .satisfies(e ->
                        assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED));
        assertThat(bus.ids("tiny")).isEmpty();
    }

    @Test
    void an_entity_that_is_full_takes_no_more_until_there_is_room() {
        ServiceBusSenderClient sender = clients.sender("full");
        sender.sendMessage(new ServiceBusMessage(new byte[2000]));
        assertThatThrownBy(() -> sender.sendMessage(new ServiceBusMessage(new byte[2000])))
                .satisfies(
                        e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.RESOURCE_LIMIT_EXCEEDED));
        Clients.receiveOne(clients.deletingReceiver("full"));
        clients.sender("full").sendMessage(new ServiceBusMessage(new byte[2000]));
        assertThat(bus.ids("full")).hasSize(1);
    }

    @Test
    void a_batch_that_does_not_fit_is_refused_whole() {
        ServiceBusSenderClient sender = clients.sender("full");
        assertThatThrownBy(() -> sender.sendMessages(List.of(
                        new ServiceBusMessage(new byte[1000]),
                        new ServiceBusMessage(new byte[1000]),
                        new ServiceBusMessage(new byte[1500]))))
                .isInstanceOf(Exception.class);
        assertThat(bus.ids("full")).isEmpty();
    }

    @Test
    void properties_that_are_too_large_make_a_dead_letter() {
        ServiceBusMessage message = Clients.message("m1");
        for (int i = 0; i < 4; i++) {
            message.getApplicationProperties().put("large" + i, "x".repeat(20_000));
        }
        clients.sender("orders").sendMessage(message);
        assertThat(Clients.receiveOne(clients.deadLetters("orders")).getDeadLetterReason())
                .isEqualTo("HeaderSizeExceeded");
    }

    @Test
    void a_property_above_32_kb_is_refused() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusMessage largest = Clients.message("m1");
        largest.getApplicationProperties().put("p", "x".repeat(32 * 1024 - 1));
        ServiceBusMessage beyond = Clients.message("m2");
        beyond.getApplicationProperties().put("p", "\u00fc".repeat(16 * 1024));
        sender.sendMessage(largest);

        // The SDK repeats the send until its time is up, as Azure's text asks it to.
        assertThatThrownBy(() -> sender.sendMessage(beyond)).isInstanceOf(Exception.class);
        assertThat(bus.ids("orders")).containsExactly("m1");
    }

    @Test
    void an_entity_that_is_not_there_is_not_found() {
        assertThatThrownBy(() -> clients.sender("missing").sendMessage(Clients.message("m1")))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.NOT_FOUND));
        assertThatThrownBy(() -> clients.receiver("missing").peekMessage()).isInstanceOf(Exception.class);
    }

    @Test
    void names_ignore_case() {
        clients.sender("ORDERS").sendMessage(Clients.message("m1"));
        assertThat(Clients.receiveOne(clients.receiver("Orders")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_queue_disabled_for_sending_still_delivers() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        bus.update("orders", q -> q.status(EntityStatus.SEND_DISABLED));
        assertThatThrownBy(() -> clients.sender("orders").sendMessage(Clients.message("m2")))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.ENTITY_DISABLED_ERROR));
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_queue_disabled_for_receiving_still_stores() {
        bus.update("orders", q -> q.status(EntityStatus.RECEIVE_DISABLED));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        assertThatThrownBy(() -> receiver.receiveMessages(1, Duration.ofSeconds(2)).stream()
                        .toList())
                .isInstanceOf(Exception.class);
        bus.update("orders", q -> q.status(EntityStatus.ACTIVE));
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_batch_for_a_partitioned_entity_has_one_partition() {
        ServiceBusSenderClient sender = clients.sender("partitioned");
        sender.sendMessages(List.of(Clients.message("a", "w1"), Clients.message("b", "w1")));
        assertThatThrownBy(() -> sender.sendMessages(List.of(Clients.message("c", "w1"), Clients.message("d", "w2"))))
                .isInstanceOf(Exception.class);
        assertThat(bus.ids("partitioned")).hasSize(2);
    }

    @Test
    void a_batch_for_a_partitioned_entity_has_one_partition_key() {
        ServiceBusSenderClient sender = clients.sender("partitioned");
        sender.sendMessages(List.of(keyed("a", "p1"), keyed("b", "p1")));
        assertThatThrownBy(() -> sender.sendMessages(List.of(keyed("c", "p1"), keyed("d", "p2"))))
                .isInstanceOf(Exception.class);
        List<ServiceBusReceivedMessage> received = Clients.receive(clients.receiver("partitioned"), 2);
        assertThat(Clients.ids(received)).containsExactly("a", "b");
        assertThat(received)
                .extracting(ServiceBusReceivedMessage::getPartitionKey)
                .containsOnly("p1");
        assertThat(received)
                .extracting(message -> message.getSequenceNumber() >>> 48)
                .containsOnly(received.get(0).getSequenceNumber() >>> 48);
    }

    private static ServiceBusMessage keyed(String id, String partitionKey) {
        return Clients.message(id).setPartitionKey(partitionKey);
    }

    @Test
    void a_message_of_a_partitioned_entity_has_one_key_for_session_and_partition() {
        // The library itself checks this for the setters, so the session is changed afterwards.
        ServiceBusMessage message = Clients.message("a").setPartitionKey("p1");
        assertThatThrownBy(() -> message.setSessionId("w1")).isInstanceOf(IllegalArgumentException.class);
        message.setSessionId("p1");
        clients.sender("partitioned").sendMessage(message);
        assertThat(bus.ids("partitioned")).hasSize(1);
    }

    @Test
    void duplicates_on_a_partitioned_entity_are_those_of_one_partition() {
        ServiceBusSenderClient sender = clients.sender("partitioned");
        sender.sendMessage(Clients.message("same", "w1"));
        sender.sendMessage(Clients.message("same", "w2"));
        sender.sendMessage(Clients.message("same", "w1"));
        assertThat(bus.ids("partitioned")).containsExactly("same", "same");
    }

    @Test
    void the_partition_shows_in_the_highest_bits_of_the_sequence_number() {
        ServiceBusSenderClient sender = clients.sender("partitioned");
        sender.sendMessage(Clients.message("a", "w1"));
        sender.sendMessage(Clients.message("b", "w1"));
        List<ServiceBusReceivedMessage> both = Clients.receive(clients.receiver("partitioned"), 2);
        assertThat(both)
                .extracting(m -> m.getSequenceNumber() >>> 48)
                .containsOnly(both.get(0).getSequenceNumber() >>> 48);
        assertThat(both)
                .extracting(m -> m.getSequenceNumber() & 0xFFFF_FFFF_FFFFL)
                .containsExactly(1L, 2L);
    }

    @Test
    void a_session_id_of_128_characters_is_the_longest() {
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.sendMessage(Clients.message("a", "w".repeat(128)));
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("b", "w".repeat(129))))
                .isInstanceOf(Exception.class);
        assertThat(bus.ids("orders")).hasSize(1);
    }

    @Test
    void the_basic_tier_has_plain_queues_only() {
        assertThatThrownBy(() -> EmbeddedServiceBus.builder()
                        .tier(Tier.BASIC)
                        .queue("q", QueueOptions::requiresSession)
                        .start())
                .hasMessageContaining("Basic");
        assertThatThrownBy(() -> EmbeddedServiceBus.builder()
                        .tier(Tier.BASIC)
                        .topic("t", t -> t)
                        .start())
                .hasMessageContaining("Basic");
    }

    @Test
    void the_premium_tier_takes_a_large_message_and_refuses_a_large_batch_without_naming_the_limit() {
        try (EmbeddedServiceBus premium = EmbeddedServiceBus.builder()
                        .tier(Tier.PREMIUM)
                        .queue("q")
                        .start();
                Clients own = new Clients(premium)) {
            ServiceBusSenderClient sender = own.sender("q");
            ServiceBusMessageBatch single = sender.createMessageBatch();
            single.tryAddMessage(new ServiceBusMessage(new byte[5 * 1024 * 1024]));
            sender.sendMessages(single);
            assertThat(Clients.receiveOne(own.receiver("q")).getBody().getLength())
                    .isEqualTo(5 * 1024 * 1024);
            byte[] half = new byte[600 * 1024];
            List<ServiceBusMessage> tooMuch = List.of(new ServiceBusMessage(half), new ServiceBusMessage(half));
            assertThatThrownBy(() -> sender.sendMessages(tooMuch))
                    .hasMessageContaining("received a batch message with no data in it. Detach origin: Publisher.")
                    .hasRootCauseInstanceOf(UnsupportedOperationException.class);
            assertThat(premium.journal("q").stored()).hasSize(1);
        }
    }

    @Test
    void a_large_batch_ends_its_link_which_names_the_limit_of_batches() {
        try (EmbeddedServiceBus premium = EmbeddedServiceBus.builder()
                        .tier(Tier.PREMIUM)
                        .queue("q")
                        .start();
                RawClient raw = RawClient.connect(premium.port())) {
            raw.open();
            Sender sender = raw.sender("q");
            assertThat(sender.getRemoteMaxMessageSize().longValue()).isEqualTo(100L * 1024 * 1024);
            assertThat(sender.getRemoteProperties())
                    .containsEntry(Symbol.valueOf("com.microsoft:max-message-batch-size"), 1024L * 1024);

            assertThat(raw.sendBatch("q", RawClient.largeMessage(1024 * 1024)))
                    .contains("rejected", "amqp:not-allowed");
            raw.until(() -> sender.getRemoteState() == EndpointState.CLOSED);
            assertThat(sender.getRemoteCondition().getCondition().toString()).isEqualTo("amqp:not-allowed");
        }
    }

    @ParameterizedTest
    @EnumSource(Tier.class)
    void every_tier_has_queues(Tier tier) {
        try (EmbeddedServiceBus bus =
                        EmbeddedServiceBus.builder().tier(tier).queue("q").start();
                Clients own = new Clients(bus)) {
            own.sender("q").sendMessage(Clients.message("m1"));
            assertThat(bus.inspect("q").active()).isEqualTo(1);
        }
    }

    @Test
    void settings_out_of_range_are_refused_before_anything_starts() {
        QueueOptions defaults = QueueOptions.defaults();
        assertThatThrownBy(() -> defaults.lockDuration(Duration.ofMinutes(6))).hasMessageContaining("Lock duration");
        assertThatThrownBy(() -> defaults.maxDeliveryCount(0)).hasMessageContaining("delivery count");
        assertThatThrownBy(() -> defaults.duplicateDetection(Duration.ofDays(8)))
                .hasMessageContaining("Duplicate");
    }

    @Test
    void who_asks_for_more_than_a_seconds_credits_is_told_that_the_server_is_busy() {
        try (EmbeddedServiceBus busy = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .creditsPerSecond(10)
                        .start();
                Clients throttled = new Clients(busy)) {
            ServiceBusSenderClient sender = throttled.sender("orders");
            sender.sendMessages(IntStream.range(0, 1_000)
                    .mapToObj(i -> Clients.message("m" + i))
                    .toList());
            // Those cost a hundred seconds, however long the tries take.
            assertThatThrownBy(() -> sender.sendMessage(Clients.message("more")))
                    .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.SERVER_BUSY_ERROR));
            assertThat(busy.inspect("orders").active()).isEqualTo(1_000);

            busy.advance(Duration.ofSeconds(101));
            sender.sendMessage(Clients.message("more"));
            assertThat(busy.inspect("orders").active()).isEqualTo(1_001);
        }
    }
}
