package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The batch after the one that is on its way. */
class BatchesAheadTest extends FailureCase {
    private static final int MESSAGES = 24;
    private static final int BATCH = 8;

    /** Encoded only then, each would keep the SDK's thread from the answers and the batches of all other lanes. */
    @Test
    void a_small_batch_is_encoded_before_the_one_ahead_of_it_is_answered_and_not_by_the_thread_of_the_sdk()
            throws Exception {
        List<String> ids = IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList();
        dsl.transaction(tx -> outbox.append(
                tx.dsl(), ids.stream().map(id -> message("orders", "s", id)).toList()));
        var encodedBy = new CompletableFuture<String>();
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).times(1).then(FaultAction.swallow());

        startRelay(new ChangedShipments(
                ServiceBusPublisher.of(bus.connectionString())
                        .withBatchLimit(BATCH)
                        .withSendDeadline(Duration.ofSeconds(5)),
                shipment -> observed(shipment, encodedBy::complete)));

        assertThat(encodedBy.get(60, TimeUnit.SECONDS)).startsWith("parallel");
        // The answer to the first is lost, so no other has been sent yet.
        assertThat(bus.journal("orders").stored()).hasSizeLessThanOrEqualTo(BATCH);
        awaitStored("orders", MESSAGES);
        assertThat(arrived("orders")).containsEntry("s", ids);
    }

    /** Tells which thread reads the first row of the second batch once it has been weighed. */
    private static Shipment observed(Shipment shipment, Consumer<String> reader) {
        List<OutboxRow> rows = shipment.rows();
        var observed = new AbstractList<OutboxRow>() {
            private int readings;

            @Override
            public synchronized OutboxRow get(int index) {
                if (index == BATCH && ++readings == 2) {
                    reader.accept(Thread.currentThread().getName());
                }
                return rows.get(index);
            }

            @Override
            public int size() {
                return rows.size();
            }
        };
        return new Shipment(shipment.destination(), observed, shipment.mayContinue(), shipment.entity());
    }
}
