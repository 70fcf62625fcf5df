package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.Relay;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The most batches that the settings of a relay and a publisher allow in one shipment. */
class ManyBatchesTest extends FailureCase {
    private static final int MESSAGES = 10_000;

    /** The result of the last would come through one call within another for each before it. */
    @Test
    void a_shipment_of_ten_thousand_batches_arrives() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                IntStream.range(0, MESSAGES)
                        .mapToObj(i -> message("orders", "s", "m" + i))
                        .toList()));
        var publisher = ServiceBusPublisher.of(bus.connectionString())
                .withBatchLimit(1)
                .withSendDeadline(Duration.ofSeconds(10));
        try (Relay relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .publisher(publisher)
                .tuning(tuning -> tuning.batchRows(MESSAGES))
                .build()
                .start()) {
            relay.wake();
            awaitStored("orders", MESSAGES);
        }

        List<String> inOrder =
                IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList();
        assertThat(arrived("orders")).containsEntry("s", inOrder);
        assertThat(bus.journal("orders").duplicates()).isEmpty();
    }
}
