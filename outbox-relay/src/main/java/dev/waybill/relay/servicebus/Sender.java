package dev.waybill.relay.servicebus;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.relay.servicebus.SendMeter.Load;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * One connected sender of one destination: fills batches in order and sends each when the one before is accepted; the next
 * one is filled meanwhile. A batch that is refused for one of its messages is halved until that message stands alone.
 */
final class Sender {
    /** Not the SDK's thread, which is all that reads and writes the connection's bytes. */
    private static final Scheduler ENCODING = Schedulers.parallel();

    /** Of one lane, where sessions are sent side by side. */
    private static final int SHARES_ON_THE_WAY = 8;

    private final ServiceBusSenderAsyncClient client;
    private final Duration deadline;
    private final Batches batches;
    private final int batchLimit;
    private final SendMeter meter;

    /** @param batchLimit most messages of a batch */
    Sender(ServiceBusSenderAsyncClient client, Duration deadline, Batches batches, int batchLimit, SendMeter meter) {
        this.client = client;
        this.deadline = deadline;
        this.batches = batches;
        this.batchLimit = batchLimit;
        this.meter = meter;
    }

    /** Never an error: what was accepted before a failure counts. */
    Mono<PublishResult> send(Shipment shipment) {
        if (batches == Batches.MIXED) {
            return sendInOrder(shipment);
        }
        return Flux.fromIterable(Shares.of(shipment))
                .flatMap(share -> sendInOrder(share.shipment()).map(share::met), SHARES_ON_THE_WAY)
                .collectList()
                .map(fates -> Shares.together(shipment.rows().size(), fates));
    }

    private Mono<PublishResult> sendInOrder(Shipment shipment) {
        return sendFrom(new Progress(shipment, 0, 0, Integer.MAX_VALUE));
    }

    void close() {
        client.close();
    }

    private Mono<PublishResult> sendFrom(Progress progress) {
        return sendFrom(progress, filled(progress));
    }

    private Mono<PublishResult> sendFrom(Progress progress, Mono<Filled> batch) {
        if (!progress.mayGoOn()) {
            return Mono.just(PublishResult.accepted(progress.accepted));
        }
        return sendBatch(progress, batch).flatMap(sent -> {
            Throwable failure = sent.failure;
            if (failure == null) {
                return sendFrom(progress.after(sent.end), sent.next);
            }
            if (sent.outcome == Outcome.MESSAGE_REFUSED && sent.end - progress.accepted > 1) {
                return sendFrom(progress.halved(sent.end));
            }
            return Mono.just(new PublishResult(progress.accepted, sent.outcome, failure));
        });
    }

    // The SDK's own time-out is 60 s a try and does not cover a link that was lost unnoticed: the deadline is ours.
    private Mono<Sent> sendBatch(Progress progress, Mono<Filled> batch) {
        return batch.flatMap(filled -> {
                    Mono<Filled> next = filledMeanwhile(progress.after(filled.end));
                    meter.sent(filled.load);
                    return client.sendMessages(filled.batch)
                            .doOnSuccess(nothing -> meter.accepted(filled.load.messages()))
                            .thenReturn(new Sent(filled.end, Outcome.ACCEPTED, null, next))
                            .onErrorResume(
                                    failure -> Mono.just(Sent.failed(filled.end, Outcomes.ofSend(failure), failure)));
                })
                .timeout(deadline)
                .onErrorResume(failure -> Mono.just(Sent.nothing(progress.accepted, failure)));
    }

    private Mono<Filled> filled(Progress progress) {
        return client.createMessageBatch()
                .onErrorMap(NotConnected::new)
                .publishOn(ENCODING)
                .map(batch -> {
                    Load load = fill(batch, progress.shipment.rows(), progress.accepted, progress.limit(batchLimit));
                    return new Filled(batch, load, progress.accepted + load.messages());
                });
    }

    /** The batch that follows the one on its way; what goes wrong with it is met when its turn has come. */
    private Mono<Filled> filledMeanwhile(Progress progress) {
        if (progress.isComplete()) {
            return Mono.empty();
        }
        Mono<Filled> next = filled(progress).cache();
        next.onErrorComplete().subscribe();
        return next;
    }

    private static Load fill(ServiceBusMessageBatch batch, List<OutboxRow> rows, int start, int limit) {
        int end = start + Math.min(rows.size() - start, limit);
        Load load = Load.NONE;
        int before = batch.getSizeInBytes();
        for (int next = start; next < end && adds(batch, rows.get(next), next == start); next++) {
            load = load.plus(batch.getSizeInBytes() - before);
            before = batch.getSizeInBytes();
        }
        return load;
    }

    // A row that cannot be sent ends the batch before it, and is found out when it is the first of the next.
    private static boolean adds(ServiceBusMessageBatch batch, OutboxRow row, boolean first) {
        try {
            ServiceBusMessage message = MessageMapping.toMessage(row);
            if (batch.tryAddMessage(message)) {
                return true;
            }
        } catch (ServiceBusException e) {
            if (!ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED.equals(e.getReason())) {
                throw e;
            }
        } catch (RuntimeException e) {
            if (first) {
                throw new Unsendable(row, e);
            }
        }
        if (first) {
            throw new Unsendable(row, batch.getMaxSizeInBytes());
        }
        return false;
    }

    /**
     * How far a shipment came.
     *
     * @param suspectEnd one of the rows up to here is refused
     * @param half most rows of a batch while that one is looked for
     */
    private record Progress(Shipment shipment, int accepted, int suspectEnd, int half) {
        boolean isComplete() {
            return accepted == shipment.rows().size();
        }

        boolean mayGoOn() {
            return !isComplete() && shipment.mayContinue().getAsBoolean();
        }

        int limit(int most) {
            return accepted < suspectEnd ? Math.min(half, most) : most;
        }

        Progress after(int end) {
            return new Progress(shipment, end, suspectEnd, half);
        }

        Progress halved(int end) {
            return new Progress(shipment, accepted, end, (end - accepted) / 2);
        }
    }

    /** A batch that is ready to be sent; it ends before this row. */
    private record Filled(ServiceBusMessageBatch batch, Load load, int end) {}

    /** What became of the batch that ended before this row, and the one that follows it. */
    private record Sent(int end, Outcome outcome, @Nullable Throwable failure, Mono<Filled> next) {
        static Sent failed(int end, Outcome outcome, Throwable failure) {
            return new Sent(end, outcome, failure, Mono.empty());
        }

        static Sent nothing(int start, Throwable failure) {
            return failure instanceof NotConnected notConnected
                    ? failed(start, Outcomes.ofConnect(notConnected.failure), notConnected.failure)
                    : failed(start, Outcomes.ofSend(failure), failure);
        }
    }

    /** Tells a failure before the send from one of the send; never leaves this class. */
    private static final class NotConnected extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Throwable failure;

        NotConnected(Throwable failure) {
            super(null, failure, false, false);
            this.failure = failure;
        }
    }
}
