package dev.waybill.servicebus.embedded;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deleting many messages by one request, and purging by many. */
@EmbeddedOnly("speaks AMQP without the client library")
@SuppressWarnings("JavaUtilDate") // The AMQP codec knows timestamps as dates.
class BatchDeleteTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders").queue("partitioned", q -> q.partitioned(true));
    }

    private static Message delete(RawClient raw, String queue, int count) {
        return raw.request(
                queue + "/$management",
                "batch-delete-messages",
                Map.of(
                        "message-count",
                        count,
                        "enqueued-time-utc",
                        Date.from(Instant.now().plusSeconds(60))));
    }

    private static Object status(Message answer) {
        return requireNonNull(answer.getApplicationProperties().getValue().get("statusCode"));
    }

    private static int deleted(Message answer) {
        return answer.getBody() instanceof AmqpValue value
                        && value.getValue() instanceof Map<?, ?> map
                        && map.get("message-count") instanceof Number count
                ? count.intValue()
                : 0;
    }

    private RawClient connected(EmbeddedServiceBus broker) {
        RawClient raw = clients.track(RawClient.connect(broker.port()));
        raw.open();
        return raw;
    }

    @ParameterizedTest
    @CsvSource({"BASIC,500", "STANDARD,500", "PREMIUM,4000"})
    void one_request_deletes_as_many_as_the_tier_allows_and_more_are_refused_in_the_services_words(
            Tier tier, int most) {
        try (EmbeddedServiceBus broker =
                EmbeddedServiceBus.builder().tier(tier).queue("orders").start()) {
            RawClient raw = connected(broker);
            for (int wrong : new int[] {0, -1, most + 1, Integer.MAX_VALUE}) {
                Message answer = delete(raw, "orders", wrong);
                assertThat(status(answer)).isEqualTo(400);
                assertThat(answer.getApplicationProperties().getValue().get("statusDescription"))
                        .isEqualTo("Invalid Message Count : requested " + wrong
                                + ". Message count should be between 1 and " + most + ".");
                assertThat(String.valueOf(
                                answer.getApplicationProperties().getValue().get("errorCondition")))
                        .isEqualTo("com.microsoft:argument-out-of-range");
            }
            assertThat(status(delete(raw, "orders", most))).isEqualTo(204);
        }
    }

    @Test
    void a_purge_ends_when_a_request_deletes_less_than_it_may() {
        var sender = clients.sender("orders");
        sender.sendMessages(IntStream.range(0, 1_100)
                .mapToObj(i -> Clients.message("m" + i))
                .toList());
        RawClient raw = connected(bus);
        int all = 0;
        int requests = 0;
        for (int last = 500; last == 500; requests++) {
            last = deleted(delete(raw, "orders", 500));
            all += last;
        }
        assertThat(all).isEqualTo(1_100);
        assertThat(requests).isEqualTo(3);
        assertThat(bus.inspect("orders").bytes()).isZero();
    }

    @Test
    void messages_of_a_partitioned_entity_are_not_deleted_in_batches() {
        clients.sender("partitioned").sendMessage(Clients.message("m1"));
        assertThat(status(delete(connected(bus), "partitioned", 1))).isEqualTo(400);
        assertThat(bus.inspect("partitioned").active()).isEqualTo(1);
    }
}
