package dev.waybill.deadletter;

import static dev.waybill.deadletter.collect.DeadLetterFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Premium takes messages that are larger than its batches. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PremiumRedriveTest {
    @Test
    void a_dead_letter_that_is_larger_than_a_batch_is_redriven_between_small_ones(TestDatabase database)
            throws Exception {
        try (var fixture = new DeadLetterFixture(
                database, bus -> bus.tier(Tier.PREMIUM).queue("orders", queue -> queue.requiresSession()))) {
            fixture.send(
                    "orders",
                    message("first", "small").setSessionId("s"),
                    large("large").setSessionId("s"),
                    message("last", "small").setSessionId("s"));
            fixture.giveUpSession("orders", "s", "Bad", 3);
            fixture.collect(fixture.deadLettersOf("orders"));
            fixture.served("orders");
            var attaches =
                    fixture.bus.faults().at(FaultPoint.ATTACH).operation("send").then(FaultAction.observe());

            Redrives.in(database.dataSource(), fixture.schema)
                    .redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), new AuditContext("ada", "because"));

            try (var publisher = ServiceBusPublisher.of(fixture::client);
                    var relay = Relay.builder(database.dataSource())
                            .schema(fixture.schema)
                            .destination("orders")
                            .publisher(publisher)
                            .build()) {
                relay.start();
                await().until(() -> fixture.bus.journal("orders").storedCount() == 6);
            }
            assertThat(fixture.bus.journal("orders").stored().subList(3, 6))
                    .extracting(Stored::messageId)
                    .satisfiesExactly(
                            id -> assertThat(id).startsWith("first~"),
                            id -> assertThat(id).startsWith("large~"),
                            id -> assertThat(id).startsWith("last~"));
            assertThat(attaches.events()).extracting(FaultEvent::entity).containsOnlyOnce("orders");
        }
    }

    private static ServiceBusMessage large(String id) {
        return new ServiceBusMessage(BinaryData.fromBytes(new byte[5 << 20])).setMessageId(id);
    }
}
