package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Publisher.Shipment;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors on the threads that encode. Reactor calls these fatal and lets them end the thread, which others wait for. */
class EncodingErrorTest extends FailureCase {
    /** Far longer than the test. */
    private static final Duration DEADLINE = Duration.ofMinutes(30);

    private static final int MESSAGES = 60;

    @ParameterizedTest
    // Small batches are weighed before they are encoded.
    @CsvSource({"8, 0, 1", "8, 8, 1", "8, 16, 1", "8, 0, 2", "8, 8, 2", "8, 9, 2", "30, 0, 1", "30, 30, 1", "30, 31, 1"
    })
    void an_error_while_a_batch_is_encoded_is_met_long_before_the_deadline(int batchLimit, int place, int reading) {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                IntStream.range(0, MESSAGES)
                        .mapToObj(i -> message("orders", "s", "m" + i))
                        .toList()));
        var readings = new AtomicInteger(reading);

        startRelay(new ChangedShipments(
                ServiceBusPublisher.of(bus.connectionString())
                        .withBatchLimit(batchLimit)
                        .withSendDeadline(DEADLINE),
                shipment -> failing(shipment, place, readings)));

        awaitStored("orders", MESSAGES);
        assertThat(readings).hasNonPositiveValue();
        assertThat(arrived("orders"))
                .containsEntry(
                        "s", IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList());
        assertThat(heldIds()).isEmpty();
    }

    /** No memory is left once, when the row at one place of a shipment is read for that time, on whatever thread. */
    private static Shipment failing(Shipment shipment, int place, AtomicInteger readings) {
        List<OutboxRow> rows = shipment.rows();
        var failing = new AbstractList<OutboxRow>() {
            @Override
            public OutboxRow get(int index) {
                if (index == place && readings.decrementAndGet() == 0) {
                    throw new OutOfMemoryError("planted");
                }
                return rows.get(index);
            }

            @Override
            public int size() {
                return rows.size();
            }
        };
        return new Shipment(shipment.destination(), failing, shipment.mayContinue(), shipment.entity());
    }
}
