package dev.waybill.relay.servicebus;

import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher.Shipment;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** One connected sender of one destination: fills batches in order and sends each when the one before is accepted. */
final class Sender {
    /** Not the SDK's thread, which is all that reads and writes the connection's bytes. */
    private static final Scheduler ENCODING = Schedulers.parallel();

    private final ServiceBusSenderAsyncClient client;
    private final Duration deadline;

    Sender(ServiceBusSenderAsyncClient client, Duration deadline) {
        this.client = client;
        this.deadline = deadline;
    }

    /** Never an error: what was accepted before a failure counts. */
    Mono<PublishResult> send(Shipment shipment) {
        return sendFrom(shipment, 0);
    }

    void close() {
        client.close();
    }

    private Mono<PublishResult> sendFrom(Shipment shipment, int start) {
        if (start == shipment.rows().size() || !shipment.mayContinue().getAsBoolean()) {
            return Mono.just(PublishResult.accepted(start));
        }
        return sendBatch(shipment.rows(), start)
                .map(PublishResult::accepted)
                .onErrorResume(failure -> Mono.just(PublishResult.failed(start, failure)))
                .flatMap(
                        result -> result.failure() == null ? sendFrom(shipment, result.accepted()) : Mono.just(result));
    }

    // The SDK's own time-out is 60 s a try and does not cover a link that was lost unnoticed: the deadline is ours.
    private Mono<Integer> sendBatch(List<OutboxRow> rows, int start) {
        return client.createMessageBatch()
                .publishOn(ENCODING)
                .flatMap(batch -> {
                    int end = fill(batch, rows, start);
                    return client.sendMessages(batch).thenReturn(end);
                })
                .timeout(deadline);
    }

    private static int fill(ServiceBusMessageBatch batch, List<OutboxRow> rows, int start) {
        int next = start;
        while (next < rows.size() && batch.tryAddMessage(MessageMapping.toMessage(rows.get(next)))) {
            next++;
        }
        if (next == start) {
            throw new IllegalArgumentException(
                    rows.get(start) + " does not fit into a batch of " + batch.getMaxSizeInBytes() + " bytes");
        }
        return next;
    }
}
